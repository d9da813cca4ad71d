import { PlatformError } from "./errors";
import type { App, OAuthConnect } from "./network";

/**
 * Returns a check of an application's credentials that exchanges a made-up authorization code. Networks authenticate the
 * application before they look at the code, so an error about the code means that the credentials are valid.
 * @param isTheCode whether an error is about the code; by default every `reconnect` error is
 */
export function tryWithoutCode(
  { exchange }: OAuthConnect,
  isTheCode = ({ kind }: PlatformError) => kind === "reconnect",
) {
  return async (app: App, redirectUri: string): Promise<void> => {
    try {
      await exchange(app, { code: "doctor", redirectUri, verifier: "doctor".repeat(8), keep: {} });
    } catch (error) {
      if (error instanceof PlatformError && isTheCode(error)) return;
      throw error;
    }
  };
}
