/** A read may bring so much more than was asked for: it is done in blocks of this size. */
export const READ_BLOCK_BYTES = 1_048_576;

/**
 * Reading, writing and looking at single paths. `vv_q` is the path after links were followed.
 * `vv_tell_apart`: Python takes a file of the same size and second for the one whose bytecode it has;
 * so each edit of a file gets a later second.
 */
const FILES = String.raw`
vv_at() {
  if ! cd -P -- "$1"; then
    if [ -d "$1" ]; then vv_r=denied; elif [ -e "$1" ]; then vv_r=notdir; else vv_r=none; fi
    return 1
  fi
  vv_q=$PWD
  [ "$2" = . ] && return 0
  [ "$vv_q" = / ] && vv_q=
  vv_q=$vv_q/$2
}

vv_follow() {
  [ -L "$vv_q" ] || return 0
  vv_q=$(readlink -f "$vv_q" && echo .) || { vv_r=dangling; return 1; }
  vv_q=@{vv_q%??}
}

vv_read() {
  vv_at "$1" "$2" && vv_follow || return
  if [ -d "$vv_q" ]; then vv_r=folder; return; fi
  if [ ! -e "$vv_q" ]; then vv_r=none; return; fi
  if [ ! -f "$vv_q" ]; then vv_r=special; return; fi
  vv_r=$(stat -c '%a %s' "$vv_q") || { vv_r=none; return; }
  vv_give "@{vv_r#* }" "$3" || { vv_r=denied; return; }
  printf %s "$vv_q" >&4
  vv_r="ok $vv_r"
}

vv_give() {
  vv_n=$1
  [ "$vv_n" -le "$2" ] || vv_n=$2
  if [ "$1" -eq 0 ]; then head -c "$2" "$vv_q"
  elif [ "$vv_n" -eq 0 ]; then [ -r "$vv_q" ]
  elif [ "$vv_n" -le 1048576 ]; then dd if="$vv_q" bs="$vv_n" count=1 iflag=fullblock
  else dd if="$vv_q" bs=1048576 count=$((($vv_n + 1048575) / 1048576)) iflag=fullblock
  fi >&3
}

vv_take() {
  if [ "$1" -eq 0 ]; then :
  elif [ "$1" -le 1048576 ]; then dd bs="$1" count=1 iflag=fullblock
  else
    dd bs=1048576 count=$(($1 / 1048576)) iflag=fullblock || return
    [ $(($1 % 1048576)) -eq 0 ] || dd bs=$(($1 % 1048576)) count=1 iflag=fullblock
  fi
}

vv_refuse() {
  vv_r=$1
  vv_take "$vv_n" >/dev/null || exit
}

vv_tell_apart() {
  [ "$(stat -c %Y "$vv_q")" -le "$vv_time" ] || return 0
  touch -d "@$(($vv_time + 1))" "$vv_q" || true
}

vv_write() {
  vv_n=$3
  [ -d "$1" ] || mkdir -p -- "$1" || { if [ -e "$1" ]; then vv_refuse notdir; else vv_refuse parent; fi; return; }
  vv_at "$1" "$2" || { vv_refuse "$vv_r"; return; }
  vv_follow || { vv_refuse "$vv_r"; return; }
  if [ -d "$vv_q" ]; then vv_refuse folder; return; fi
  if [ -e "$vv_q" ]; then
    if [ ! -f "$vv_q" ]; then vv_refuse special; return; fi
    if [ ! -w "$vv_q" ]; then vv_refuse denied; return; fi
    vv_w=kept
    cp "$vv_q" "$4" || { true >"$4"; vv_refuse full; return; }
    vv_time=$(stat -c %Y "$vv_q")
  else
    vv_w=created
    if ! true >"$vv_q"; then vv_refuse uncreatable; return; fi
  fi
  if vv_take "$3" >"$vv_q"; then
    [ $vv_w = created ] || { true >"$4"; vv_tell_apart; }
    printf %s "$vv_q" >&4
    vv_r="ok $vv_w"
  else
    if [ $vv_w = created ]; then rm -f "$vv_q"; else cat "$4" >"$vv_q"; true >"$4"; fi
    vv_r=broken
  fi
}

vv_stat() {
  vv_at "$1" "$2" || return
  [ -e "$vv_q" ] || [ -L "$vv_q" ] || { vv_r=none; return; }
  vv_r=$(stat -c '%f %s' "$vv_q") || { vv_r=none; return; }
  if [ -L "$vv_q" ]; then
    if [ -e "$vv_q" ]; then vv_follow && printf %s "$vv_q" >&4; fi
  fi
  vv_r="ok $vv_r"
}

vv_list() {
  vv_at "$1" "$2" || return
  [ "$2" = . ] || vv_follow || return
  if ! cd -P -- "$vv_q"; then
    if [ -d "$vv_q" ]; then vv_r=denied; elif [ -e "$vv_q" ]; then vv_r=notdir; else vv_r=none; fi
    return
  fi
  vv_find | head -c "$3" >&3
  vv_r=ok
}

vv_find() {
  if [ $vv_gnu = gnu ]; then
    find . -mindepth 1 -name .git -prune -o -printf '%y%P\0'
  else
    for vv_y in f d l s p; do
      find . -mindepth 1 -name .git -prune -o -type $vv_y -print0 | vv_mark $vv_y
    done
  fi
}

vv_mark() {
  xargs -0 -r sh -c 'y=$0; for p; do printf "%s%s\0" "$y" "@{p#./}"; done' "$1"
}
`;

/** Listing and reading the whole repository. */
const TREE = String.raw`
vv_now() {
  vv_m=/tmp/.vivarium-$1
  if [ $vv_gnu = gnu ]; then
    echo >"$vv_m" && vv_t=$(TZ=UTC0 find "$vv_m" -printf '%CY-%Cm-%Cd %CT +0000' -delete) || vv_t=
  else
    echo >"$vv_m" && vv_t=$(TZ=UTC0 stat -c %z "$vv_m") || vv_t=
    rm -f "$vv_m"
  fi
}

vv_tree() {
  cd -- "$1" || { vv_r=failed; return; }
  vv_now "$3"
  if [ "$4" = touched ] && [ $vv_gnu = gnu ]; then
    find . -ignore_readdir_race -name .git -prune \
      -o -newerct "@$2" -printf 'C%y%m %s %i %P\0' >&3
  elif [ $vv_gnu = gnu ]; then
    find . -mindepth 1 -ignore_readdir_race -name .git -prune -printf 'G%y0 0 0 %P\0' \
      -o -newerct "@$2" -printf 'C%y%m %s %i %P\0' -o -printf 'U%y%m %s %i %P\0' >&3
  else
    find . -mindepth 1 -name .git -prune -print0 -o -print0 >&3 &&
      find . -mindepth 1 -name .git -prune -print0 -o -print0 | TZ=UTC0 xargs -0 -r stat -c '%f %s %i %z' >&4
  fi || { vv_r=failed; return; }
  vv_r="ok $vv_t"
}

vv_open_up() {
  [ -r "$1" ] && [ -w "$1" ] && [ -x "$1" ] || chmod u+rwx "$1"
  cd -- "$1" || return
  find . -name .git -prune -o -type d ! -perm -500 -exec chmod u+rwx {} \;
  find . -name .git -prune -o -type f ! -perm -400 -exec chmod u+r {} +
}

vv_facts() {
  cd -- "$1" || return
  shift
  stat -c '%f %s %i %z' "$@" >&3
}

vv_fetch() {
  cd -- "$1" || { vv_r=failed; return; }
  shift
  stat -c '%f %s %i %z' "$@" >&4
  echo >&4
  cat "$@" >&3
  stat -c '%f %s %i %z' "$@" >&4
  vv_r=ok
}

vv_links() {
  cd -- "$1" || { vv_r=failed; return; }
  shift
  for vv_p; do readlink -n "$vv_p" >&3; printf '\0' >&3; done
  vv_r=ok
}
`;

/** Requests of the file side, for the loop in `agent-shell.ts`; `@{` stands for a shell's `${`. */
export const SHELL_FUNCTIONS = `${FILES}${TREE}`.replaceAll('@{', '${');
