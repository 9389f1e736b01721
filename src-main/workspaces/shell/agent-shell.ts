/** Programs that must be in the image; all are in coreutils + util-linux + findutils, or BusyBox. */
export const NEEDED_APPLETS = [
  'cat',
  'cp',
  'dd',
  'find',
  'head',
  'mkdir',
  'readlink',
  'setsid',
  'stat',
  'xargs',
] as const;

/** A read may bring so much more than was asked for: it is done in blocks of this size. */
export const READ_BLOCK_BYTES = 1_048_576;

/**
 * The loop that runs as `sh -c` inside the workspace, for dash, bash and BusyBox ash.
 *
 * A request is a line `COUNT NONCE`, then COUNT lines of code made by the host, then maybe raw
 * bytes. The code is evaluated; then the nonce goes to stdout, followed by the status, and to
 * stderr. The nonce lives in a shell variable only. A builtin is used wherever there is one, since
 * a fork costs more than the rest of a request.
 */
export const AGENT_SHELL = String.raw`
unset CDPATH vv_k vv_c vv_l vv_n vv_r vv_o vv_known vv_t
umask 022
exec 3>&1 4>&2 2>/dev/null
trap 'vv_g=1' TERM HUP INT QUIT USR1 USR2 ALRM

vv_hello() {
  vv_miss=; vv_all=
  for vv_p; do command -v "$vv_p" >/dev/null || vv_miss="$vv_miss,$vv_p"; done
  vv_bash=-; command -v bash >/dev/null && vv_bash=bash
  [ -x /bin/bash ] && vv_bash=/bin/bash
  vv_gnu=-; find / -maxdepth 0 -printf '' && vv_gnu=gnu
  for vv_p in /proc/[0-9]*; do vv_all="$vv_all @{vv_p#/proc/}"; done
  vv_known=" $vv_all "
  vv_r="$$ $vv_bash $vv_gnu -$vv_miss$vv_all"
}

vv_oom() {
  vv_m=-
  for vv_p in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
    [ -r "$vv_p" ] || continue
    while read -r vv_a vv_b; do [ "$vv_a" = oom_kill ] && vv_m=$vv_b; done <"$vv_p"
  done
}

vv_left() {
  vv_x=
  for vv_p in /proc/[0-9]*; do
    case "$vv_known $1 " in
      *" @{vv_p#/proc/} "*) ;;
      *) vv_x="$vv_x @{vv_p#/proc/}" ;;
    esac
  done
}

vv_run() {
  vv_i=$1 vv_d=$2 vv_s=$3 vv_f=$4 vv_t=$5 vv_o=$6
  shift 6
  cd -- "$vv_d" || { vv_r=cwd; return; }
  (
    for vv_e; do export "$vv_e"; done
    export VIVARIUM_RUN="$vv_i"
    exec setsid "$vv_s" "$vv_f" "$vv_t" </dev/null >&3 2>&4 3>&- 4>&-
  )
  vv_r=$?
  cd /
  vv_oom
  vv_left "$vv_o"
  vv_r="$vv_r $vv_m$vv_x"
}

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
  else
    vv_w=created
    if ! true >"$vv_q"; then vv_refuse denied; return; fi
  fi
  if vv_take "$3" >"$vv_q"; then
    [ $vv_w = created ] || true >"$4"
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

vv_now() {
  vv_m=/tmp/.vivarium-$1
  echo >"$vv_m" && vv_t=$(TZ=UTC0 stat -c %z "$vv_m") || vv_t=
  rm -f "$vv_m"
}

vv_tree() {
  cd -- "$1" || { vv_r=failed; return; }
  vv_now "$3"
  if [ $vv_gnu = gnu ]; then
    find . -mindepth 1 -ignore_readdir_race -name .git -prune -printf 'G%y0 0 0 %P\0' \
      -o -newerct "@$2" -printf 'C%y%m %s %i %P\0' -o -printf 'U%y%m %s %i %P\0' >&3
  else
    find . -mindepth 1 -name .git -prune -print0 -o -print0 >&3 &&
      find . -mindepth 1 -name .git -prune -print0 -o -print0 | TZ=UTC0 xargs -0 -r stat -c '%f %s %i %z' >&4
  fi || { vv_r=failed; return; }
  vv_r="ok $vv_t"
}

vv_open_up() {
  cd -- "$1" || return
  find . -name .git -prune -o -type d ! -perm -500 -exec chmod u+rwx {} \;
  find . -name .git -prune -o -type f ! -perm -400 -exec chmod u+r {} +
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

while :; do
  vv_g=
  if ! IFS=' ' read -r vv_n vv_k; then
    [ -n "$vv_g" ] && continue
    exit 0
  fi
  vv_c=
  while [ "$vv_n" -gt 0 ]; do
    IFS= read -r vv_l || exit
    vv_c="$vv_c$vv_l
"
    vv_n=$((vv_n - 1))
  done
  vv_r=
  eval "$vv_c"
  printf '%s %s\n' "$vv_k" "$vv_r" >&3
  printf '%s\n' "$vv_k" >&4
done
`.replaceAll('@{', '${');
