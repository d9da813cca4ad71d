import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { KeptMedia } from "./posts";

export type Blobs = { keep(bytes: Uint8Array, type: string): KeptMedia; read(sha256: string): Buffer | undefined };

/** Media by their own hash, each stored once. */
export function openBlobs(dir: string): Blobs {
  fs.mkdirSync(dir, { recursive: true });
  return {
    keep(bytes, type) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const file = path.join(dir, sha256);
      if (!fs.existsSync(file)) {
        fs.writeFileSync(`${file}.new`, bytes);
        fs.renameSync(`${file}.new`, file);
      }
      return { type, sizeBytes: bytes.byteLength, sha256 };
    },
    read(sha256) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
      const file = path.join(dir, sha256);
      return fs.existsSync(file) ? fs.readFileSync(file) : undefined;
    },
  };
}
