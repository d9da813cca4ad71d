import { statusWord } from "../posts/status";

/** The word for a schedule's or a publication's state. */
export function scheduleWord(status: string): string {
  return statusWord(status as Parameters<typeof statusWord>[0]); // the database holds no other
}
