import { PlatformError } from "../errors";
import type { NetworkCall, Session } from "../network";

/** The first four are what making a Pin takes (OpenAPI file, `pins/create`). */
export const SCOPES = ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"];

/**
 * A call in the account's name. What is refused although the person gave every permission that it takes (a board that is not
 * theirs to pin to, an application with too little access) is refused for good: to connect again would change nothing.
 */
export async function ask(session: Session, path: string, call?: NetworkCall): Promise<Response> {
  try {
    return await session.fetch(path, call);
  } catch (error) {
    const isForbidden = error instanceof PlatformError && error.kind === "reconnect" && error.answer?.status === 403;
    if (!isForbidden || !SCOPES.every((scope) => session.tokens.scopes?.includes(scope))) throw error;
    const { answer } = error;
    throw new PlatformError("rejected", `Pinterest does not permit this: ${answer?.message ?? "status 403"}`, {
      answer,
    });
  }
}
