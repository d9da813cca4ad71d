import { type GuardedAnswer, guardedFetch } from "../../http/guarded-fetch";
import { log } from "../../log";
import { discardPartial, openPartial, type Staged } from "../../storage";
import { MAX_BYTES } from "../file-errors";
import { extendClaim, type ImportClaim, ImportClaimLost } from "./claim";
import { ImportError, importTooLarge, statusError } from "./error";

/** How often the state that others see moves. */
const TICK_MS = 500;

type PartialFile = Awaited<ReturnType<typeof openPartial>>;
type Begun = { answer: GuardedAnswer; totalBytes: number | undefined };
export type Downloaded = { file: Staged; resumed: boolean };

/** Each claim writes to a file of its own. */
const nameOf = (id: number, fence: number) => `import-${id}-${fence}`;

/** Drops what this claim has downloaded. */
export async function discardDownload({ id, claimFence }: ImportClaim): Promise<void> {
  await discardPartial(nameOf(id, claimFence));
}

/**
 * Downloads the file into a staged one, from where an earlier attempt ended where that is the same file and the server
 * sends ranges. What was downloaded stays for the next attempt when this one fails.
 * @throws ImportFault; EgressError; ImportLost
 */
export async function download(claim: ImportClaim, signal: AbortSignal): Promise<Downloaded> {
  const { id, claimFence } = claim;
  const keep = claim.validator ? claim.bytesDownloaded : 0;
  const partial = await openPartial(nameOf(id, claimFence), nameOf(id, claimFence - 1), keep);
  let saved = partial.sizeBytes;
  try {
    const { answer, totalBytes } = await ask(claim, partial, signal);
    const resumed = partial.sizeBytes > 0;
    saved = partial.sizeBytes;
    const validator = validatorOf(answer);
    await extendClaim(claim, { bytesDownloaded: saved, totalBytes: totalBytes ?? null, validator: validator ?? null });
    await takeBody(claim, answer, partial);
    if (totalBytes !== undefined && partial.sizeBytes !== totalBytes) {
      const message = "the server sent less or more than it announced";
      throw new ImportError("CONNECTION_FAILED", message, { lasting: false });
    }
    return { file: await partial.finish(), resumed };
  } catch (error) {
    await partial.close().catch((fault) => log.warn({ error: String(fault) }, "a download could not be kept"));
    // What came counts as progress; a claim that is lost has nothing to record.
    if (partial.sizeBytes > saved) {
      claim.attempts = 0;
      await extendClaim(claim, { bytesDownloaded: partial.sizeBytes });
    }
    throw error;
  }
}

/** Asks for the file, or for the rest of it; `partial` holds afterwards what the answer's body goes on from. */
async function ask(claim: ImportClaim, partial: PartialFile, signal: AbortSignal): Promise<Begun> {
  const from = partial.sizeBytes;
  const { sourceUrl, validator } = claim;
  const range = from > 0 && validator ? { range: `bytes=${from}-`, "if-range": validator } : undefined;
  const answer = await guardedFetch(sourceUrl, { headers: range, signal });
  try {
    const encoding = answer.header("content-encoding") ?? "identity";
    if (encoding.toLowerCase() !== "identity") {
      const message = "the server sent the file packed (Content-Encoding), although Carillon asked it not to";
      throw new ImportError("UNSUPPORTED_TYPE", message, { lasting: true });
    }
    if (answer.status === 206 && range) {
      const { first, total } = rangeOf(answer);
      if (first === from) return { answer, totalBytes: allowed(total) };
    }
    if (range && (answer.status === 206 || answer.status === 416)) {
      answer.close(); // the rest is not to be had: the whole file again
      await partial.restart();
      return await ask({ ...claim, validator: null }, partial, signal);
    }
    if (answer.status !== 200) throw statusError(answer);
    if (from > 0) await partial.restart(); // another file than the one that was begun, or a server without ranges
    return { answer, totalBytes: allowed(lengthOf(answer)) };
  } catch (error) {
    answer.close();
    throw error;
  }
}

async function takeBody(claim: ImportClaim, answer: GuardedAnswer, partial: PartialFile): Promise<void> {
  let failed: unknown;
  async function tell(): Promise<void> {
    try {
      await extendClaim(claim, { bytesDownloaded: await partial.sync() });
    } catch (error) {
      if (!(error instanceof ImportClaimLost)) return; // the database is away for a moment: the claim lasts longer
      failed = error;
      answer.close();
    }
  }
  let telling: Promise<void> | undefined;
  const timer = setInterval(() => {
    telling ??= tell().finally(() => {
      telling = undefined;
    });
  }, TICK_MS);
  try {
    for await (const bytes of answer.body) {
      if (partial.sizeBytes + bytes.length > MAX_BYTES) throw importTooLarge();
      await partial.append(bytes);
    }
  } catch (error) {
    throw failed ?? error;
  } finally {
    clearInterval(timer);
    await telling; // what is told next must not be put back by this
  }
}

/** What the server says the whole file has; a larger one is not begun, a smaller number is not believed but counted. */
function allowed(totalBytes: number | undefined): number | undefined {
  if (totalBytes !== undefined && totalBytes > MAX_BYTES) throw importTooLarge();
  return totalBytes;
}

function lengthOf({ header }: GuardedAnswer): number | undefined {
  const length = header("content-length") ?? "";
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** RFC 9110, section 14.4; nothing that it could be mistaken for where the header is another. */
function rangeOf({ header }: GuardedAnswer): { first?: number; total?: number } {
  const [, first, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(header("content-range") ?? "") ?? [];
  return {
    first: first === undefined ? undefined : Number(first),
    total: total === undefined || total === "*" ? undefined : Number(total),
  };
}

/**
 * What proves that a file is still the same (RFC 9110, section 8.8): a strong ETag, or a date of change that was over when
 * the answer was made.
 */
function validatorOf({ header }: GuardedAnswer): string | undefined {
  if (header("accept-ranges") === "none") return undefined;
  const etag = header("etag");
  if (etag?.startsWith('"')) return etag;
  const [changed, sent] = [header("last-modified") ?? "", header("date") ?? ""];
  return Date.parse(sent) - Date.parse(changed) >= 1_000 ? changed : undefined;
}
