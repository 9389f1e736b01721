import { SHELL_FUNCTIONS } from './shell-functions.ts';

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

# Forgets the known processes that have ended, since their numbers will be used again.
vv_left() {
  vv_x= vv_y=
  for vv_p in /proc/[0-9]*; do
    vv_p=@{vv_p#/proc/}
    case "$vv_known $1 " in
      *" $vv_p "*) vv_y="$vv_y $vv_p" ;;
      *) vv_x="$vv_x $vv_p" ;;
    esac
  done
  vv_known=" $vv_y "
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
  vv_r="$vv_r $vv_m$vv_x /$vv_y"
}

@<files>
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
`
  .replaceAll('@{', '${')
  .replace('@<files>', () => SHELL_FUNCTIONS);
