import { inArray } from "drizzle-orm";
import { db, mediaImports } from "../../db";
import { type GuardedAnswer, guardedFetch } from "../../http/guarded-fetch";
import { log } from "../../log";
import {
  discardPartial,
  openPartial,
  partialNames,
  type ReservedSpace,
  reserveSpace,
  type Staged,
} from "../../storage";
import { MAX_BYTES } from "../file-errors";
import { extendClaim, type ImportClaim, ImportClaimLost } from "./claim";
import { ImportError, importTooLarge, statusError } from "./error";

/** How often the progress that users see is updated. */
const TICK_MS = 500;

type PartialFile = Awaited<ReturnType<typeof openPartial>>;
type Begun = { answer: GuardedAnswer; totalBytes: number | undefined };
export type Downloaded = { file: Staged; resumed: boolean };

/** Each claim writes to its own file. */
const nameOf = (id: number, fence: number) => `import-${id}-${fence}`;

/** Deletes the partial download of this claim. */
export async function discardDownload({ id, claimFence }: ImportClaim): Promise<void> {
  await discardPartial(nameOf(id, claimFence));
}

/**
 * Deletes the partial downloads on this machine whose imports do not exist any more, because the import was withdrawn or
 * its owner was deleted. Each machine has its own.
 * @returns how many were deleted
 */
export async function discardDownloadsOfGoneImports(): Promise<number> {
  const names = await partialNames("import-");
  const idOf = (name: string) => Number(/^import-(\d+)-/.exec(name)?.[1] ?? 0);
  if (names.length === 0) return 0;
  const rows = await db
    .select({ id: mediaImports.id })
    .from(mediaImports)
    .where(inArray(mediaImports.id, names.map(idOf)));
  const known = new Set(rows.map(({ id }) => id));
  const gone = names.filter((name) => !known.has(idOf(name)));
  for (const name of gone) await discardPartial(name);
  return gone.length;
}

/**
 * Downloads the file to a staged file. Continues an earlier attempt if the file is unchanged and the server supports
 * ranges. If this attempt fails, its bytes are kept for the next one.
 * @throws ImportError; EgressError; ImportClaimLost
 */
export async function download(claim: ImportClaim, signal: AbortSignal): Promise<Downloaded> {
  const { id, claimFence } = claim;
  const keep = claim.validator ? claim.bytesDownloaded : 0;
  const space = await reserveSpace(Math.max(0, (claim.totalBytes ?? 0) - keep));
  try {
    const partial = await openPartial(nameOf(id, claimFence), nameOf(id, claimFence - 1), keep);
    return await downloadTo(partial, claim, { signal, space });
  } finally {
    space.release();
  }
}

type Receiving = { signal: AbortSignal; space: ReservedSpace };

async function downloadTo(partial: PartialFile, claim: ImportClaim, { signal, space }: Receiving): Promise<Downloaded> {
  let saved = partial.sizeBytes;
  try {
    const { answer, totalBytes } = await ask(claim, partial, signal);
    const resumed = partial.sizeBytes > 0;
    saved = partial.sizeBytes;
    const validator = validatorOf(answer);
    await extendClaim(claim, { bytesDownloaded: saved, totalBytes: totalBytes ?? null, validator: validator ?? null });
    await takeBody(claim, answer, { partial, space });
    if (totalBytes !== undefined && partial.sizeBytes !== totalBytes) {
      const message = "the server sent more or fewer bytes than it announced";
      throw new ImportError("CONNECTION_FAILED", message, { lasting: false });
    }
    return { file: await partial.finish(), resumed };
  } catch (error) {
    await partial.close().catch((fault) => log.warn({ error: String(fault) }, "a partial download could not be kept"));
    // Received bytes count as progress. A lost claim has nothing to record.
    if (partial.sizeBytes > saved) {
      claim.attempts = 0;
      await extendClaim(claim, { bytesDownloaded: partial.sizeBytes });
    }
    throw error;
  }
}

/** Requests the file, or the rest of it. Afterwards `partial` holds exactly the bytes before those of the answer's body. */
async function ask(claim: ImportClaim, partial: PartialFile, signal: AbortSignal): Promise<Begun> {
  const from = partial.sizeBytes;
  const { sourceUrl, validator } = claim;
  const range = from > 0 && validator ? { range: `bytes=${from}-`, "if-range": validator } : undefined;
  const answer = await guardedFetch(sourceUrl, { headers: range, signal });
  try {
    const encoding = answer.header("content-encoding") ?? "identity";
    if (encoding.toLowerCase() !== "identity") {
      const message =
        "the server sent a compressed file (Content-Encoding), although Carillon asked for an uncompressed one";
      throw new ImportError("UNSUPPORTED_TYPE", message, { lasting: true });
    }
    if (answer.status === 206 && range && isRestOf(answer, claim, from)) {
      return { answer, totalBytes: allowed(rangeOf(answer).total) };
    }
    if (range && (answer.status === 206 || answer.status === 416)) {
      answer.close(); // the server cannot send the rest of this file, so start again
      await partial.restart();
      return await ask({ ...claim, validator: null }, partial, signal);
    }
    if (answer.status !== 200) throw statusError(answer);
    if (from > 0) await partial.restart(); // the file has changed, or the server does not support ranges
    return { answer, totalBytes: allowed(lengthOf(answer)) };
  } catch (error) {
    answer.close();
    throw error;
  }
}

/**
 * Returns whether a 206 has exactly the missing bytes of the same file. Servers that ignore If-Range (RFC 9110, section
 * 13.1.5) send the rest of a newer file, so the response must name the same strong validator (section 15.3.7.3) and length.
 */
function isRestOf(answer: GuardedAnswer, { validator, totalBytes }: ImportClaim, from: number): boolean {
  const { first, total } = rangeOf(answer);
  if (first !== from || total === undefined || validatorOf(answer) !== validator) return false;
  return totalBytes === null || totalBytes === total;
}

type Target = { partial: PartialFile; space: ReservedSpace };

async function takeBody(claim: ImportClaim, answer: GuardedAnswer, { partial, space }: Target): Promise<void> {
  let failed: unknown;
  async function recordProgress(): Promise<void> {
    try {
      await extendClaim(claim, { bytesDownloaded: await partial.sync() });
    } catch (error) {
      if (!(error instanceof ImportClaimLost)) return; // the database is unavailable for a moment; the claim lasts longer than that
      failed = error;
      answer.close();
    }
  }
  let recording: Promise<void> | undefined;
  const timer = setInterval(() => {
    recording ??= recordProgress().finally(() => {
      recording = undefined;
    });
  }, TICK_MS);
  try {
    for await (const bytes of answer.body) {
      if (partial.sizeBytes + bytes.length > MAX_BYTES) throw importTooLarge();
      await space.write(bytes.length, () => partial.append(bytes));
    }
  } catch (error) {
    throw failed ?? error;
  } finally {
    clearInterval(timer);
    await recording; // an update in progress must not overwrite the next one
  }
}

/** Returns the announced size. Rejects a size above the limit; the actual bytes are counted too. */
function allowed(totalBytes: number | undefined): number | undefined {
  if (totalBytes !== undefined && totalBytes > MAX_BYTES) throw importTooLarge();
  return totalBytes;
}

function lengthOf({ header }: GuardedAnswer): number | undefined {
  const length = header("content-length") ?? "";
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Parses Content-Range (RFC 9110, section 14.4). Both values are undefined if the header is malformed. */
function rangeOf({ header }: GuardedAnswer): { first?: number; total?: number } {
  const [, first, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(header("content-range") ?? "") ?? [];
  return {
    first: first === undefined ? undefined : Number(first),
    total: total === undefined || total === "*" ? undefined : Number(total),
  };
}

/**
 * Returns a value that proves that a file has not changed (RFC 9110, section 8.8): a strong ETag, or a modification date at
 * least a second before the response.
 */
function validatorOf({ header }: GuardedAnswer): string | undefined {
  if (header("accept-ranges") === "none") return undefined;
  const etag = header("etag");
  if (etag?.startsWith('"')) return etag;
  const [changed, sent] = [header("last-modified") ?? "", header("date") ?? ""];
  return Date.parse(sent) - Date.parse(changed) >= 1_000 ? changed : undefined;
}
