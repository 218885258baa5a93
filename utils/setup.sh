# Shared by utils/quickstart and utils/check: what a fresh Debian machine lacks,
# and the build in <repository>/build. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build

say() { printf '== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 2
}

# Installs those of the named Debian packages that are not there yet.
install_packages() {
  command -v dpkg-query > /dev/null ||
    die "this is no Debian system; install the equivalents of these packages, then use cmake as README.md says: $*"
  local package missing=()
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2> /dev/null | grep -qx installed ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null ||
      die "these packages are missing, and there is neither root nor sudo to install them: ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
      "${missing[@]}"; } > "$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "apt-get could not install: ${missing[*]}. Mend what it says above, then run this again."
  fi
  rm -f "$log"
}

build_packages=(clang-19 llvm-19 libclang-rt-19-dev libc6-dev libstdc++-12-dev cmake ninja-build
  python3 xz-utils libcli11-dev nlohmann-json3-dev zlib1g-dev)

# Configures with the given options and builds, showing progress on a terminal
# and the compiler's words only when it fails.
configure_and_build() {
  say "configuring"
  cmake -G Ninja -S "$root" -B "$build" --log-level=NOTICE "$@" || die "configuring failed, see above"
  say "building"
  if [ -t 1 ]; then
    ninja -C "$build"
  else
    ninja -C "$build" --quiet
  fi || die "building failed, see above"
}
