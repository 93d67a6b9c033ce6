#!/usr/bin/env bash
# Installs, on Debian and its kin, what builds the page and tests it. Asks for root by sudo if need be.
#
#   web/install.sh                   compiler and browser
#   web/install.sh --check-compiler  only says by its exit status whether Debian's compiler for the browser is there
#   web/install.sh --check-browser   the same of what the tests need
set -euo pipefail

compiler="rustc-web cargo-web rust-web-src lld binaryen"
browser="chromium nodejs npm"

has() { dpkg -s "$@" >/dev/null 2>&1; }

case "${1:-}" in
  --check-compiler) has $compiler ;;
  --check-browser) command -v chromium >/dev/null && command -v npm >/dev/null ;;
  *)
    has $compiler $browser && exit
    root=$([ "$(id -u)" = 0 ] || echo sudo)
    $root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends $compiler $browser
    ;;
esac
