import { PlatformError } from "../errors";
import type { NetworkCall, Session } from "../network";

/** The first four are required to create a Pin (OpenAPI file, `pins/create`). */
export const SCOPES = ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"];

/**
 * Makes a call for the account. If Pinterest forbids it although all scopes were granted (for example another account's board,
 * or insufficient access of our application), the error is `rejected`, because connecting again would not help.
 */
export async function ask(session: Session, path: string, call?: NetworkCall): Promise<Response> {
  try {
    return await session.fetch(path, call);
  } catch (error) {
    const isForbidden = error instanceof PlatformError && error.kind === "reconnect" && error.answer?.status === 403;
    if (!isForbidden || !SCOPES.every((scope) => session.tokens.scopes?.includes(scope))) throw error;
    const { answer } = error;
    throw new PlatformError("rejected", `Pinterest does not allow this: ${answer?.message ?? "status 403"}`, {
      answer,
    });
  }
}
