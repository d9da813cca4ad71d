#!/bin/sh
# Installs the packages that Carillon needs to build and run. Run in the folder with package-lock.json.
set -eu
npm ci --omit=dev --no-audit --no-fund --loglevel=error
