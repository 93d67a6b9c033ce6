#!/usr/bin/env bash
# Builds each host whose packages are installed, plays its script without a display, and checks that it saved a picture.
# `--install` first installs the packages with apt; `--pictures` renews the pictures in docs/images.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$(cd ../.. && pwd)/target}/hosts" CARGO_PROFILE_DEV_DEBUG=0
export LIBGL_ALWAYS_SOFTWARE=1

hosts="macroquad sdl2 raylib sfml"
packages() {
  case $1 in
    macroquad) echo xvfb xauth libgl1 libx11-6 libxi6 libxkbcommon0 ;;
    sdl2) echo xvfb xauth libsdl2-dev ;;
    raylib) echo cmake libclang-dev ;;
    sfml) echo xvfb xauth cmake libgl-dev libudev-dev libx11-dev libxcursor-dev libxrandr-dev libfreetype-dev ;;
  esac
}

missing() {
  local package
  for package in $(packages "$1"); do
    dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || printf ' %s' "$package"
  done
}

# Builds a host and saves its picture: play HOST FILE.
play() {
  local build=(cargo build --locked --manifest-path "$1/Cargo.toml") display=(xvfb-run -a -s '-screen 0 800x600x24')
  # raylib's software renderer needs no display and no display packages.
  if [ "$1" = raylib ]; then build+=(--no-default-features --features memory) display=(); fi
  "${build[@]}" && timeout 60 "${display[@]}" "$CARGO_TARGET_DIR/debug/host_$1" --shot "$2"
}

# Checks that the guide's page about Bevy contains the plugin and the game byte for byte.
page() {
  sed -n '/^```rust,ignore$/,/^```$/p' ../../docs/guide/bevy.md | grep -v '^```' |
    cmp - <(cat bevy/plugin/src/lib.rs bevy/src/main.rs)
  echo "bevy: the guide's page contains the plugin and the game"
}

# Builds the game of the guide's page "a game in an hour" as a reader does: step 6, with the `main` of step 7.
game_in_an_hour() {
  local folder="$CARGO_TARGET_DIR/game_in_an_hour" page=../../docs/guide/a_game_in_an_hour.md
  mkdir -p "$folder/src"
  cp macroquad/Cargo.lock "$folder"
  sed 's/host_macroquad/game_in_an_hour/; /level/d; s|"../../.."|"'"$(cd ../.. && pwd)"'"|; /^macroquad/a glam = "0.27"' \
    macroquad/Cargo.toml > "$folder/Cargo.toml"
  {
    sed -n '/^## Step 6/,/^## Step 7/p' "$page" | sed -n '/^```rust$/,/^```$/p' | sed '/^fn main/,$d; /fn x(/,/^    }/d'
    sed -n '/^## Step 7/,$p' "$page" | sed -n '/^```rust,ignore$/,/^```$/p'
  } | grep -v '^```' > "$folder/src/main.rs"
  cargo build -q --manifest-path "$folder/Cargo.toml"
  echo "macroquad: the game of the guide's page builds"
}

# Runs the tests of the plugin for Bevy, without gizmos: they need a hundred crates, the gizmos and the game hundreds
# more, which this script does not build.
plugin() {
  cargo test -q --locked --manifest-path bevy/Cargo.toml -p bevy_hitgraph --no-default-features
  echo "bevy: the tests of the plugin pass; the gizmos and the game, which take ten minutes, are not built"
}

if [ "${1-}" = --install ]; then
  # shellcheck disable=SC2046
  apt-get install -y --no-install-recommends $(for host in $hosts; do packages "$host"; done)
fi
mkdir -p "$CARGO_TARGET_DIR"
page
game_in_an_hour
plugin
for host in $hosts; do
  lacking=$(missing "$host")
  if [ -n "$lacking" ]; then
    echo "$host: skipped, because these packages are missing:$lacking"
    continue
  fi
  picture="$CARGO_TARGET_DIR/$host.png" log="$CARGO_TARGET_DIR/$host.log"
  rm -f "$picture"
  play "$host" "$picture" > "$log" 2>&1 || { cat "$log"; echo "$host: failed"; exit 1; }
  [ -s "$picture" ] || { cat "$log"; echo "$host: no picture"; exit 1; }
  echo "$host: $(stat -c %s "$picture") bytes"
  if [ "${1-}" = --pictures ]; then
    # SDL writes a bitmap whatever the file is called; convert makes it a PNG.
    convert "$picture" -strip "../../docs/images/host_$host.png"
  fi
done
