#!/bin/sh
# Builds llama-server from the llama.cpp source that the node-llama-cpp package carries: nothing is
# fetched, and it is the version our own engine runs. Only the tests of the `llama-server` engine use
# it; users bring their own. Some 15 minutes on one core; does nothing when it is there already.
#
#   scripts/llama-server.sh            -> .cache/llama-server/llama-server
#   JOBS=4 scripts/llama-server.sh     more cores
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
bundle="$root/node_modules/node-llama-cpp/llama/gitRelease.bundle"
target="$root/.cache/llama-server"
# Raise the number when the options below change.
recipe=1

if [ ! -f "$bundle" ]; then
  echo "The node-llama-cpp package with its source is missing: run npm ci first." >&2
  exit 3
fi
for tool in git cmake c++; do
  command -v "$tool" >/dev/null || { echo "$tool is missing; it builds llama-server." >&2; exit 3; }
done

wanted="$recipe $(sha256sum "$bundle" | cut -d ' ' -f 1)"
if [ -x "$target/llama-server" ] && [ "$(cat "$target/stamp" 2>/dev/null || true)" = "$wanted" ]; then
  echo "$target/llama-server is there"
  exit 0
fi

mkdir -p "$target"
work="$target/work"
# A build that was cut off goes on, unless its source was another.
if [ "$(cat "$work/stamp" 2>/dev/null || true)" != "$wanted" ]; then
  rm -rf "$work"
  mkdir -p "$work"
  git -c advice.detachedHead=false clone -q "$bundle" "$work/source"
  echo "$wanted" > "$work/stamp"
fi

# -O1: it serves test models of a few megabytes; the compiler is what takes the time. No page of its
# own (it would be fetched), no HTTPS, no subprocesses: what we never let it do is not built.
cmake -S "$work/source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_FLAGS_RELEASE='-O2 -DNDEBUG' -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG' \
  -DBUILD_SHARED_LIBS=OFF -DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DGGML_CCACHE=OFF \
  -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF \
  -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_SUBPROCESS=OFF \
  -DLLAMA_ALL_WARNINGS=OFF > "$work/configure.log" 2>&1 \
  || { tail -20 "$work/configure.log" >&2; exit 1; }
nice -n 19 cmake --build "$work/build" --target llama-server -j "${JOBS:-1}" > "$work/build.log" 2>&1 \
  || { tail -40 "$work/build.log" >&2; exit 1; }

strip -o "$target/llama-server.new" "$work/build/bin/llama-server"
mv "$target/llama-server.new" "$target/llama-server"
echo "$wanted" > "$target/stamp"
rm -rf "$work"
echo "$target/llama-server is built"
