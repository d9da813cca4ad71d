import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { rowsProblem } from "../../lib/db/backup/rows";
import { env } from "../../lib/env";
import { Conflict } from "../../lib/errors";
import type { ObjectReference } from "../../lib/media";
import { compareWithStore } from "../../lib/media";
import type { Say } from "../progress";
import { listObjects, type Manifest, objectPath, readManifest } from "./manifest";

const SHOWN = 20;

/**
 * Reads a whole backup and compares it with its manifest. Files in a bucket are looked up there, if this installation uses it.
 * @throws Conflict with the first problems if the backup is damaged or incomplete
 */
export async function verifyBackup(from: string, say: Say): Promise<Manifest> {
  const folder = resolve(from);
  const manifest = await readManifest(folder);
  const problems: string[] = [];
  for (const table of [...manifest.tables, manifest.objects.list]) {
    const problem = await rowsProblem(folder, table, (bytes) =>
      say(`${table.file}: ${Math.round(bytes / 1_048_576)} MB`),
    );
    if (problem) problems.push(problem);
  }
  if (problems.length === 0) {
    for await (const problem of objectProblems(folder, manifest, say)) {
      problems.push(problem);
      if (problems.length > SHOWN) break;
    }
  }
  if (problems.length === 0) return manifest;
  const shown = problems.slice(0, SHOWN);
  throw new Conflict([...shown, ...(problems.length > SHOWN ? ["and more"] : [])].join("\n"));
}

async function* objectProblems(folder: string, { objects }: Manifest, say: Say): AsyncGenerator<string> {
  const { list, bucket } = objects;
  const lost = new Set(objects.lost);
  if (bucket) {
    if (env.s3?.bucket !== bucket) return;
    for await (const { reference, found } of compareWithStore(listObjects(folder, list))) {
      if (!reference) continue;
      if (!found) yield `${reference.name} is not in the bucket ${bucket} any more`;
      else if (isWrong(found.sizeBytes, reference)) yield `${reference.name} has another size in the bucket ${bucket}`;
      say("files in the bucket");
    }
    return;
  }
  let done = 0;
  for await (const reference of listObjects(folder, list)) {
    const problem = lost.has(reference.name) ? undefined : await copyProblem(folder, reference);
    if (problem) yield problem;
    done += 1;
    say(`${done} of ${list.rows} files`);
  }
}

const isWrong = (size: number, { sizeBytes }: ObjectReference) => sizeBytes !== undefined && size !== sizeBytes;

async function copyProblem(folder: string, reference: ObjectReference): Promise<string | undefined> {
  const file = objectPath(reference.name);
  const found = await stat(join(folder, file)).catch(() => undefined);
  if (!found) return `${file} is missing`;
  if (isWrong(found.size, reference)) return `${file} has ${found.size} bytes instead of ${reference.sizeBytes}`;
  if (!reference.digest) return undefined;
  const hash = createHash("blake2b512");
  await pipeline(createReadStream(join(folder, file)), hash);
  return hash.digest("hex") === reference.digest ? undefined : `${file} was changed: its digest is wrong`;
}
