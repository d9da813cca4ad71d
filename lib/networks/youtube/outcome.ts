import { env } from "../../env";
import { PlatformError } from "../errors";
import type { OutgoingMedia, Run } from "../network";
import { setThumbnail, video } from "./api";
import { verdictOf } from "./errors";

/** A video can be watched before it is processed, so we wait at most this long. */
const PROCESSING_PATIENCE_MS = 1_800_000 / env.timeFactor;
const COVER_PATIENCE_MS = 300_000 / env.timeFactor;

export type Outcome = { failed?: string; isProcessed: boolean; at: number };

/** Waits until YouTube has processed or rejected a complete upload. The video is already public, so failed reads are ignored. */
export async function outcomeOf(run: Run, part: string, id: string): Promise<Outcome> {
  const begun = await run.step(`${part}, uploaded`, async () => Date.now());
  const decided = async () => {
    const seen = await video(run, id).catch(silent);
    const { uploadStatus, failureReason, rejectionReason } = seen?.status ?? {};
    const at = Date.now();
    if (uploadStatus === "failed") return { failed: failureReason ?? "unknown", isProcessed: false, at };
    if (uploadStatus === "rejected") return { failed: rejectionReason ?? "unknown", isProcessed: false, at };
    if (uploadStatus === "deleted") return { failed: "deleted", isProcessed: false, at };
    const isProcessed = uploadStatus === "processed" && seen?.processingDetails?.processingStatus !== "processing";
    return isProcessed || at - begun > PROCESSING_PATIENCE_MS ? { isProcessed, at } : undefined;
  };
  return run.poll(`${part}, processed`, decided, "commit");
}

/** @throws PlatformError `rejected` if YouTube received the bytes but rejected the video */
export function assertTaken({ failed }: Outcome): void {
  if (!failed) return;
  throw new PlatformError("rejected", verdictOf(failed), { undone: true, answer: { status: 200, code: failed } });
}

/** Sets the cover; returns the reason if YouTube refused it. The video stays published without it. */
export async function coverOf(run: Run, id: string, image: OutgoingMedia, since: number): Promise<string | undefined> {
  const taken = async () => {
    try {
      await setThumbnail(run, id, image);
      return {};
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const mayHelp = error.kind === "later" || error.kind === "unknown";
      return mayHelp && Date.now() - since < COVER_PATIENCE_MS ? undefined : { failed: error.message };
    }
  };
  const { failed } = await run.poll<{ failed?: string }>("cover", taken, "commit");
  return failed && `The cover was not set: ${failed}`;
}

function silent(error: unknown): undefined {
  if (!(error instanceof PlatformError)) throw error;
}
