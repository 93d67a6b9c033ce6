#!/usr/bin/env bash
# Installs, on Debian and its kin, what builds the page and tests it. Asks for root by sudo if need be.
#
#   web/install.sh                   compiler and browser
#   web/install.sh --check-compiler  only says by its exit status whether Debian's compiler for the browser is there
set -euo pipefail

compiler="rustc-web cargo-web rust-web-src lld"

installed() { dpkg -s "$@" >/dev/null 2>&1; }

# One line for each package that is missing.
missing() {
  local package command
  for package in $compiler binaryen; do
    installed "$package" || echo "$package"
  done
  # These may come from elsewhere, and Debian's npm goes with no other node than Debian's.
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
