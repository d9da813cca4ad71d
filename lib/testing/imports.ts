import { eq } from "drizzle-orm";
import { expect, vi } from "vitest";
import { db, mediaImports } from "../db";
import { type Client, readResponse } from "./owners";

export type ImportSeen = {
  id: number;
  state: string;
  bytesDownloaded: number;
  totalBytes?: number;
  detectedMime?: string;
  s3Key?: string;
  errorCode: string | null;
  errorMessage: string | null;
};

/** Starts an import and returns it once it is in one of these states. */
export async function imported(
  client: Client,
  body: { url: string; filenameHint?: string },
  states = ["READY", "FAILED_PERMANENT"],
): Promise<ImportSeen> {
  const [status, started] = await readResponse(client.post("/v1/media/upload/import", body));
  if (status !== 202) throw new Error(`the import was not accepted: ${JSON.stringify(started)}`);
  return reached(client, (started as { id: number }).id, states);
}

/** Returns an import once it is in one of these states. */
export function reached(client: Client, id: number, states: string[]): Promise<ImportSeen> {
  return vi.waitFor(
    async () => {
      // Waits in the database, which is cheaper than calls of the API.
      const { state, errorCode, errorMessage, attempts, claimFence } = mediaImports;
      const columns = { state, errorCode, errorMessage, attempts, claimFence };
      const [row] = await db.select(columns).from(mediaImports).where(eq(mediaImports.id, id));
      expect(states, JSON.stringify(row)).toContain(row?.state);
      const seen = (await readResponse(client.get(`/v1/media/upload/import/${id}`)))[1] as ImportSeen;
      expect(states, JSON.stringify(seen)).toContain(seen.state);
      return seen;
    },
    { timeout: 45_000, interval: 50 },
  );
}
