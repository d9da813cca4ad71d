import { env } from "../env";

/**
 * Tells next-auth our public URL. It reads the URL from this environment variable only, and guesses one if it is not set.
 * Each process that serves pages calls this once at its start.
 */
export function setNextAuthUrl(): void {
  process.env.NEXTAUTH_URL = env.appUrl;
}
