#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# on_display.sh <width>x<height> <command> [arguments]
# Runs a command on an X server of its own with a window manager. Ends with 77, for "skipped", where
# one of them is not installed. QT_SCALE_FACTOR and the like reach the command alone.

for tool in xvfb-run Xvfb xauth openbox xdotool; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is not installed (./setup test installs it)"
    exit 77
  fi
done

screen="$1"
shift
home="$(mktemp -d)"
trap 'rm -rf "$home"' EXIT
mkdir -m 700 "$home/run"

# Nothing of the user's own settings, and an X server that only this machine can reach.
HOME="$home" XDG_CONFIG_HOME="$home" XDG_RUNTIME_DIR="$home/run" QT_QPA_PLATFORM=xcb \
  xvfb-run -a -s "-screen 0 ${screen}x24 -nolisten tcp" sh -c '
    env -u QT_SCALE_FACTOR openbox >"$HOME/openbox.log" 2>&1 &
    manager=$!
    tries=0
    until xdotool get_num_desktops >/dev/null 2>&1 || [ $tries -ge 100 ]; do
      sleep 0.1
      tries=$((tries + 1))
    done
    if [ $tries -ge 100 ]; then
      echo "skipped: the window manager did not start"
      cat "$HOME/openbox.log"
      exit 77
    fi
    "$@"
    status=$?
    kill $manager
    exit $status
  ' sh "$@"
