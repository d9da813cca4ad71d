#!/bin/sh
# Installs the packages that Carillon needs to build and run, without those that only packages/ needs. Run in the folder with
# package-lock.json.
set -eu
npm ci --omit=dev --workspaces=false --no-audit --no-fund --loglevel=error
