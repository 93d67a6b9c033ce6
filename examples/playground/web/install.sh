#!/usr/bin/env bash
# Installs the tools that build and test the page, on Debian and derivatives. Uses sudo if not run by root.
#
#   web/install.sh                   installs the compiler and the browser
#   web/install.sh --check-compiler  exits with 0 if Debian's compiler for wasm32-unknown-unknown is installed
set -euo pipefail

compiler="rustc-web cargo-web rust-web-src lld"

installed() { dpkg -s "$@" >/dev/null 2>&1; }

# Prints the missing packages, one per line.
missing() {
  local package command
  for package in $compiler binaryen; do
    installed "$package" || echo "$package"
  done
  # These commands may come from another source. Debian's npm works only with Debian's node.
  for command in chromium node:nodejs npm; do
    command -v "${command%:*}" >/dev/null || echo "${command#*:}"
  done
}

if [ "${1-}" = --check-compiler ]; then
  # shellcheck disable=SC2086
  installed $compiler
  exit
fi
packages=$(missing)
[ -n "$packages" ] || exit 0
root=$([ "$(id -u)" = 0 ] || echo sudo)
$root apt-get update -qq
# shellcheck disable=SC2086
$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
