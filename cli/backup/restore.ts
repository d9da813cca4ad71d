import { join, resolve } from "node:path";
import type { ClientBase } from "pg";
import { dedicatedConnection, installation } from "../../lib/db";
import { loadDatabase, misfitOf } from "../../lib/db/backup/load";
import { renewHold } from "../../lib/db/installation";
import { env } from "../../lib/env";
import { Conflict } from "../../lib/errors";
import { advanceSequences, storeIdProblem } from "../../lib/installation";
import { keyIds } from "../../lib/secrets";
import { stageCopy, store } from "../../lib/storage";
import type { Say } from "../progress";
import { listObjects, type Manifest, objectPath } from "./manifest";
import { verifyBackup } from "./verify";

const HOLD_REASON = "The database was restored from a backup";

/**
 * Restores a backup into an empty installation. Publishing stays held: posts that were published after the backup was taken are
 * due again in its rows, so the operator must run `restore finish` first.
 * @throws Conflict if the backup is damaged, a key is missing, or the database is in use, not empty or of another release
 */
export async function restoreBackup(from: string, say: Say) {
  const folder = resolve(from);
  const manifest = await verifyBackup(folder, say);
  assertKeys(manifest);
  assertBucket(manifest);
  await assertReady(manifest);
  await restoreObjects(folder, manifest, say);
  const { takenAt, tables, objects } = manifest;
  await loadDatabase(folder, manifest, say, async (tx) => {
    await renewHold(HOLD_REASON, new Date(takenAt), tx); // publishing may have been held when the backup was taken
    await advanceSequences(tx); // people go on writing posts while publishing is held
    if (!objects.bucket) await tx.update(installation).set({ storeId: null }); // the files are in the folder of this machine now
  });
  if (!objects.bucket) await storeIdProblem(); // names this store, so that no process starts with another one
  console.error(`Publishing is held. Next: npm run carillon -- restore finish --taken-at ${takenAt}`);
  return {
    takenAt,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    objects: objects.bucket ? 0 : objects.list.rows - objects.lost.length,
    publishing: "held",
  };
}

function assertKeys({ keys }: Manifest): void {
  const configured = keyIds();
  const missing = keys.filter((id) => !configured.includes(id));
  if (missing.length === 0) return;
  const here = env.secretsKey ? "SECRETS_KEY" : "the key in DATA_DIR/secrets/key";
  throw new Conflict(
    `The backup needs the key ${missing.join(", ")}, but ${here} is ${configured.join(", ")}. Set SECRETS_KEY to the keys of the old installation, or copy its DATA_DIR/secrets/key here, and try again`,
  );
}

function assertBucket({ objects: { bucket } }: Manifest): void {
  if (!bucket || env.s3?.bucket === bucket) return;
  throw new Conflict(
    `The files of this backup are in the bucket ${bucket}. Set S3_BUCKET and the other S3_ settings to it, and try again`,
  );
}

async function assertReady(manifest: Manifest): Promise<void> {
  const client = await dedicatedConnection("restore");
  try {
    const running = await otherProcesses(client);
    if (running.length > 0) {
      throw new Conflict(`Processes of Carillon use the database: ${running.join(", ")}. Stop them, and try again`);
    }
    const { rows } = await client.query(
      "select exists (select from users) or exists (select from applications) as used",
    );
    if (rows[0].used) {
      throw new Conflict(
        "The database is not empty. Restore into a new one: set DATABASE_URL to an empty database or DATA_DIR to a new folder, or rename the old one",
      );
    }
    const misfit = await misfitOf(client, manifest);
    if (misfit) throw new Conflict(`${misfit} (Carillon ${manifest.carillon})`);
  } finally {
    await client.end();
  }
}

/** All connections of a process have its ID in their names. Two machines may have processes with the same ID. */
async function otherProcesses(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'carillon%'
       and not (client_addr is not distinct from inet_client_addr() and split_part(application_name, ' ', 2) = $1) order by 1`,
    [String(process.pid)],
  );
  return rows.map(({ name }) => name);
}

/** The files come first: after a failure, the database is still empty and the command can run again. */
async function restoreObjects(folder: string, { objects }: Manifest, say: Say): Promise<void> {
  if (objects.bucket) return;
  const lost = new Set(objects.lost);
  let done = 0;
  for await (const { name, contentType } of listObjects(folder, objects.list)) {
    if (!lost.has(name)) await store.put(name, await stageCopy(join(folder, objectPath(name))), contentType);
    done += 1;
    say(`${done} of ${objects.list.rows} files`);
  }
}
