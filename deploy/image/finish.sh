#!/bin/sh
# Prepares the file system of the image: everything in /app belongs to root, and only /data belongs to user 1000, who runs Carillon.
set -eu
chown -R 0:0 /app
chmod -R a+rX,go-w /app
mkdir -p /data
chown 1000:1000 /data
chmod 700 /data
