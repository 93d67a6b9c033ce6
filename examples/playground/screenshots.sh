#!/usr/bin/env bash
# Renews the pictures of the playground in docs/images with the desktop program, on a virtual screen. Needs xvfb, Mesa's
# drivers and imagemagick. Text and edges vary slightly with the graphics driver, and the times in the crowd's picture
# with the machine, so commit a picture only if its content has changed.
set -euo pipefail
cd "$(dirname "$0")"
export LIBGL_ALWAYS_SOFTWARE=1
images=$(realpath ../../docs/images)
program="${CARGO_TARGET_DIR:-target}/release/hitgraph-playground"

cargo build --locked --release -q
# view:frames, the number of frames before the picture. That of the duel shows a wrong answer.
for shot in mirror:92 pair:10 scene:180 walk:90 crowd:60 drawing:10; do
  view=${shot%:*} picture="$images/playground_${shot%:*}.png"
  xvfb-run -a -s "-screen 0 1280x800x24" \
    "$program" --view "$view" --size 1000x640 --frames "${shot#*:}" --shot "$picture"
  # A palette of 128 colours reduces the file to a third.
  convert "$picture" +dither -colors 128 -strip -define png:compression-level=9 "$picture"
  [ "$(stat -c %s "$picture")" -lt 150000 ] || echo "$picture is 150 KB or more" >&2
done
# The social media card of the page.
xvfb-run -a -s "-screen 0 1280x800x24" "$program" --view mirror --size 1200x630 --frames 92 --shot web/card.png
convert web/card.png +dither -colors 128 -strip -define png:compression-level=9 web/card.png
