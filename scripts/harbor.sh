#!/usr/bin/env bash
# Makes .cache/harbor: Harbor's own code, for a second opinion on task directories in tests. It needs
# Python 3.12 or newer; where the machine has none, Debian 13's is unpacked there (as root, 700 MB
# with Harbor); nothing is installed on the machine.
set -euo pipefail

version=0.26.0
place=$(cd "$(dirname "$0")/.." && pwd)/.cache/harbor
stamp=$place/made-$version

if [ -e "$stamp" ]; then
  echo "harbor $version is in $place"
  exit 0
fi
rm -rf "$place"
mkdir -p "$place"

new_python() {
  for name in python3.14 python3.13 python3.12 python3; do
    if command -v "$name" >/dev/null &&
      "$name" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
      command -v "$name"
      return
    fi
  done
}

unpack_debian() {
  local mirror
  mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null || true; } |
    sed -nE 's#^(URIs: +|deb +(\[[^]]*\] +)?)(https?://[^ ]*/debian/?)( .*)?$#\3#p' | head -n 1)
  debootstrap --variant=minbase --include=python3 trixie "$place/root" "$mirror" >"$place/log" 2>&1
  cat >"$place/python" <<'WRAPPER'
#!/bin/sh
# Debian's Python with its own libraries, on this machine's files.
here=$(cd "$(dirname "$0")" && pwd)
libraries=$(ls -d "$here"/root/usr/lib/*-linux-gnu)
export PYTHONHOME="$here/root/usr" PYTHONPATH="$here/site${PYTHONPATH:+:$PYTHONPATH}"
exec "$here"/root/usr/lib*/ld-linux*.so.* --library-path "$libraries" "$here/root/usr/bin/python3" "$@"
WRAPPER
}

python=$(new_python)
if [ -n "$python" ]; then
  printf '#!/bin/sh\nhere=$(cd "$(dirname "$0")" && pwd)\nexport PYTHONPATH="$here/site${PYTHONPATH:+:$PYTHONPATH}"\nexec %s "$@"\n' "$python" >"$place/python"
else
  unpack_debian
fi
chmod +x "$place/python"

pip=$(python3 -c 'import os, pip; print(os.path.dirname(os.path.dirname(pip.__file__)))')
mkdir "$place/pip"
cp -r "$pip/pip" "$place/pip/"
PYTHONPATH=$place/pip "$place/python" -m pip install --quiet --no-cache-dir --only-binary=:all: \
  --target "$place/site" "harbor==$version"
touch "$stamp"
echo "harbor $version is in $place"
