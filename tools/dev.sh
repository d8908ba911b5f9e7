#!/usr/bin/env bash
# Everything one does with the tree, in one command each; `tools/dev.sh help` lists them.
# On Debian 12 it installs what is missing (and says so); elsewhere it names it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${AMP_BUILD_DIR:-$root/build}
jobs=${AMP_JOBS:-$(nproc)}

# What the build needs, by the reason for it; the README's table has the licences.
packages=(
  cmake ninja-build g++ python3 ccache            # the build itself
  libmlir-22-dev mlir-22-tools llvm-22-dev        # the compiler's libraries, mlir-tblgen
  llvm-22-tools                                   # lit and FileCheck
  libdnnl-dev                                     # products
  nlohmann-json3-dev libcli11-dev libfmt-dev      # files and command line of a model
  libboost-dev                                    # its progress bar (a header)
  libgtest-dev libbenchmark-dev                   # tests and benchmarks
)

usage() {
  cat <<EOF
usage: tools/dev.sh <command>

  demo      build, compile two example models, run them on their samples
  test      build, run all tests, the runtime's under sanitizers
            (--quick: without them)
  bench     build, measure the examples against PyTorch and DyNet
            (--quick: fewer of their settings; --no-peers; --help)
  build     install what is missing, configure, build
  format    format the C++ files that differ from the last commit
  help      this text

environment: AMP_BUILD_DIR (default build/), AMP_JOBS (default: all cores)
EOF
}

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
die() { printf 'dev.sh: %s\n' "$*" >&2; exit 1; }

install_missing() {
  if ! command -v dpkg-query >/dev/null; then
    [ -d "$build" ] || echo "not a Debian system: make sure that you have ${packages[*]}"
    return 0
  fi
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]}"
  local sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -q
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# configure <source> <build directory> <cmake arguments...>: only if not done yet; ninja
# itself notices when a CMakeLists.txt has changed.
configure() {
  local source=$1 dir=$2
  shift 2
  [ -f "$dir/build.ninja" ] || cmake -S "$source" -B "$dir" -G Ninja "$@"
}

build_all() {
  install_missing
  say "building in ${build#"$root"/}"
  configure "$root" "$build" "$@"
  cmake --build "$build" --parallel "$jobs"
}

#===-----------------------------------------------------------------------------------===
# demo
#===-----------------------------------------------------------------------------------===

# demo_model <example>: compiles it, runs it on its sample, shows what it says.
demo_model() {
  local name=$1 dir=examples/$1 out=${build#"$root"/}/demo/$1
  mkdir -p "$out"
  say "ampc $dir/$name.mlir -o $out/$name"
  local start
  start=$(date +%s%N)
  "$build/bin/ampc" "$dir/$name.mlir" -o "$out/$name"
  echo "compiled in $((($(date +%s%N) - start) / 1000000)) ms"
  say "$out/$name run --input $dir/sample.jsonl"
  "$out/$name" run --quiet --input "$dir/sample.jsonl" --weights "$dir/$name.safetensors" \
    --output "$out/results.jsonl" --stats "$out/stats.json"
  python3 "$dir/show.py" --input "$dir/sample.jsonl" --output "$out/results.jsonl" \
    --vocabulary "$dir/vocab.json"
  echo
  python3 "$root/tools/show-stats.py" "$out/stats.json"
}

demo() {
  build_all
  cd "$root" # so that places in the models are short
  demo_model treelstm
  demo_model tagger-char
}

#===-----------------------------------------------------------------------------------===
# test
#===-----------------------------------------------------------------------------------===

passed=0
failed=0

# run_ctest <title> <build directory> [options of ctest...]: runs it and adds up.
run_ctest() {
  local title=$1 dir=$2 log=$2/ctest.log
  shift 2
  say "tests: $title"
  # What passed is only counted.
  ctest --test-dir "$dir" --output-on-failure --no-tests=error --parallel "$jobs" "$@" |
    tee "$log" | grep --line-buffered -vE '^ +Start +[0-9]+:| Passed +[0-9.]+ sec' || true
  local line bad all
  line=$(grep -E 'tests passed, [0-9]+ tests failed out of' "$log" || true)
  [ -n "$line" ] || { failed=$((failed + 1)); return 0; }
  bad=$(sed -E 's/.*, ([0-9]+) tests failed.*/\1/' <<<"$line")
  all=$(sed -E 's/.* out of ([0-9]+).*/\1/' <<<"$line")
  # A test of ctest's may be many of GoogleTest's, and the lit suite is one: count what
  # is in them. What was skipped did not pass.
  local more skipped
  read -r more skipped < <(awk '
    /^\[=+\] [0-9]+ tests? from .* ran\./ { more += $2 - 1 }
    /^\[  SKIPPED \] [0-9]+ tests?[.,]/ { skipped += $4 }
    END { print more + 0, skipped + 0 }' "$dir/Testing/Temporary/LastTest.log")
  all=$((all + more - skipped))
  [ "$skipped" = 0 ] || echo "GoogleTest: $skipped skipped"
  local results=$dir/test/lit-results.xml in_lit bad_in_lit skipped_in_lit
  if [ -f "$results" ]; then
    in_lit=$(grep -o '<testcase ' "$results" | wc -l || true)
    bad_in_lit=$(grep -o '<failure' "$results" | wc -l || true)
    skipped_in_lit=$(grep -o '<skipped' "$results" | wc -l || true)
    in_lit=$((in_lit - skipped_in_lit))
    echo "lit: $((in_lit - bad_in_lit)) passed, $bad_in_lit failed, $skipped_in_lit skipped"
    all=$((all - 1 + in_lit))
    [ "$bad_in_lit" = 0 ] || bad=$((bad - 1 + bad_in_lit))
  fi
  passed=$((passed + all - bad))
  failed=$((failed + bad))
}

# sanitized <title> <sanitizers> <tests> [targets...]: those of the runtime's tests whose names
# match, built anew with them; `targets` has them, if not all are to be built.
sanitized() {
  local title=$1 sanitizers=$2 tests=$3 dir=$root/build-$1
  shift 3
  local targets=("${@/#/--target=}")
  say "building the runtime with $title sanitizers"
  # Not optimised: with these checks GCC takes up to a minute for a file that it optimises.
  configure "$root/runtime" "$dir" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O0 -g1" \
    "-DAMPRT_SANITIZE=$sanitizers" -DAMPRT_BUILD_BENCHMARKS=OFF
  cmake --build "$dir" --parallel "$jobs" "${targets[@]}"
  run_ctest "runtime, $sanitizers" "$dir" --tests-regex "$tests"
}

run_tests() {
  # A new build for tests alone: what optimisation costs, these would not get back. The
  # runtime's tests are in it only where they are not run under sanitizers.
  local options=(-DAMP_COMPILER_OPTIONS=-O0 -DAMPRT_TOOL_OPTIONS=-O1 -DAMPRT_LINK_FMT=ON)
  [ "${1:-}" = --quick ] || options+=(-DAMPRT_BUILD_TESTS=OFF)
  build_all "${options[@]}"
  rm -f "$build/test/lit-results.xml"
  run_ctest "compiler and runtime" "$build"
  if [ "${1:-}" != --quick ]; then
    sanitized asan "address;undefined" .
    # What reads files and command lines has no threads.
    sanitized tsan thread '^(amprt|train)\.' amprt-tests amprt-train-tests
  fi
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" = 0 ]
}

#===-----------------------------------------------------------------------------------===
# The rest
#===-----------------------------------------------------------------------------------===

bench() {
  case " $* " in
    *" --help "* | *" -h "*) ;;
    *)
      # The bound and the tree-LSTM written by hand: clang 14 spills the latter's sums.
      packages+=(clang-22)
      build_all
      ;;
  esac
  python3 "$root/tools/bench/bench.py" --build "$build" "$@"
}

format() {
  local tool
  tool=$(command -v git-clang-format-22 || command -v git-clang-format ||
    ls /usr/lib/llvm-22/bin/git-clang-format 2>/dev/null) ||
    die "no git-clang-format; install clang-format-22"
  cd "$root"
  "$tool" --binary "$(command -v clang-format-22 || command -v clang-format ||
    echo /usr/lib/llvm-22/bin/clang-format)" HEAD || true # 1: it changed something
}

command=${1:-help}
[ $# = 0 ] || shift
case $command in
  demo) demo ;;
  test) run_tests "$@" ;;
  bench) bench "$@" ;;
  build) build_all ;;
  format) format ;;
  help | -h | --help) usage ;;
  *)
    usage >&2
    die "unknown command '$command'"
    ;;
esac
