#!/bin/sh
# Builds the runtime with the address + undefined and the thread sanitizer and
# runs its tests with each.
#   runtime/test/sanitize.sh <build directory> [address|thread] [cmake options]
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=${1:?usage: sanitize.sh <build directory> [address|thread] [cmake options]}
shift
kinds="address thread"
case "${1:-}" in
  address|thread) kinds=$1; shift ;;
esac

for kind in $kinds; do
  list=$kind
  if [ "$kind" = address ]; then list="address;undefined"; fi
  cmake -S "$source" -B "$build/$kind" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g" -DAMPRT_SANITIZE="$list" \
    -DAMPRT_BUILD_BENCHMARKS=OFF "$@" > /dev/null
  cmake --build "$build/$kind"
  # Not ours: what oneDNN and its OpenMP runtime allocate once and keep.
  LSAN_OPTIONS="suppressions=$source/test/lsan.txt:print_suppressions=0" \
  TSAN_OPTIONS="suppressions=$source/test/tsan.txt:halt_on_error=1" \
  UBSAN_OPTIONS=print_stacktrace=1 \
    ctest --test-dir "$build/$kind" --output-on-failure -L runtime | tail -n 25
done
