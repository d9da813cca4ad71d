import { PlatformError } from "../errors";
import type { Run } from "../network";
import { publishingLimit } from "./api";

const TOLD = "This account has reached Instagram's publishing limit for 24 hours";

/**
 * Checks before anything is prepared that this many posts fit into the publishing limit of the last 24 hours. Meta documents
 * both 50 and 100, so the limit is read. If it cannot be read, the publishing call decides.
 */
export async function assertQuota(run: Run, posts = 1): Promise<void> {
  await run.step("quota", async () => {
    const limit = await publishingLimit(run).catch((error: unknown) => {
      if (error instanceof PlatformError) return undefined;
      throw error;
    });
    if (limit && limit.used + posts > limit.total)
      throw new PlatformError("later", TOLD, { throttled: true, retryAfterSeconds: 3600 });
    return true;
  });
}
