#!/usr/bin/env bash
# Makes the pictures of the playground in docs/images, with the program as it runs on the desktop. Where there is no
# screen, xvfb-run makes one. Letters and edges depend on the graphics driver a little, and the times in the crowd's on
# the machine: a picture is made anew when what it shows has changed. Needs xvfb, Mesa's drivers and imagemagick.
set -euo pipefail
cd "$(dirname "$0")"
export LIBGL_ALWAYS_SOFTWARE=1
images=$(realpath ../../docs/images)
program="${CARGO_TARGET_DIR:-target}/release/hitgraph-playground"

cargo build --locked --release -q
# After so many frames there is something to see.
for shot in pair:10 scene:180 walk:90 crowd:60 drawing:10; do
  view=${shot%:*} picture="$images/playground_${shot%:*}.png"
  xvfb-run -a -s "-screen 0 1280x800x24" \
    "$program" --view "$view" --size 1000x640 --frames "${shot#*:}" --shot "$picture"
  # Few colours are in it: with a palette it is a third as large.
  convert "$picture" +dither -colors 128 -strip -define png:compression-level=9 "$picture"
  [ "$(stat -c %s "$picture")" -lt 150000 ] || echo "$picture is 150 KB or more" >&2
done
