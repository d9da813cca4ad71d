import { db } from "../db";
import { env } from "../env";
import { countMediaBytes } from "../media";
import { countPublicationsToday } from "../schedules";

/** How much of a limit per user is used. */
type Used = { used: number; limit: number };
type Usage = { mediaBytes: Used; publicationsToday: Used };

/** Returns what a user has used of the limits per user, for the API and the dashboard's settings. */
export async function usageOf(ownerId: string): Promise<Usage> {
  const [mediaBytes, publicationsToday] = await Promise.all([
    countMediaBytes(db, ownerId),
    countPublicationsToday(ownerId),
  ]);
  const { quotas } = env;
  return {
    mediaBytes: { used: mediaBytes, limit: quotas.mediaBytes },
    publicationsToday: { used: publicationsToday, limit: quotas.publicationsPerDay },
  };
}
