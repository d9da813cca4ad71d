import { PlatformError } from "../errors";
import type { Run } from "../network";
import { publishingLimit } from "./api";

const TOLD = "This account has used up what Instagram lets it publish within 24 hours";

/**
 * Asks before anything is prepared whether so many posts still fit into the moving 24 hours; Meta's pages name 50 and 100,
 * so the number is read. Where it cannot be read, the publishing call itself decides.
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
