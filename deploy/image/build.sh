#!/bin/sh
# Builds Carillon in the current folder and copies what an image needs to the folder $1. The sources are among it: at each start,
# their hash is compared with that of the build, so that a changed source is noticed.
set -eu
target=$1

node bin/start.mjs --build
rm -rf .next/cache .next/dev
mkdir -p "$target"
cp -a .next dist node_modules \
  app bin cli components deploy instrumentation.ts lib public sandbox \
  cli.ts server.ts worker.ts \
  LICENSE next.config.mjs .npmrc package.json package-lock.json postcss.config.mjs tsconfig.json \
  "$target"
# The server imports this file of the package for agents (ADR 52).
cp -a --parents packages/mcp/src/tools.ts "$target"
