#!/bin/sh
# A small greeter. What it cannot do yet is in .planning/ROADMAP.md.
echo "usage: sh greeter.sh COMMAND NAME" >&2
exit 2
