import { log } from "../log";
import { OAuthError, statusOf } from "./oauth-error";

/** Answers as RFC 6749 says, sections 5.1 and 5.2: JSON that nobody keeps. */
export async function answerOAuth(work: () => Promise<object | undefined>): Promise<Response> {
  try {
    return respond(200, await work());
  } catch (error) {
    if (error instanceof OAuthError) {
      return respond(statusOf(error), { error: error.code, error_description: error.description });
    }
    log.error({ error: error instanceof Error ? error.stack : String(error) }, "an OAuth endpoint failed");
    return respond(500, { error: "server_error", error_description: "Something went wrong on our side" });
  }
}

function respond(status: number, body: object | undefined): Response {
  const headers = new Headers({ "cache-control": "no-store", pragma: "no-cache" });
  if (status === 401) headers.set("www-authenticate", 'Basic realm="carillon"');
  if (status === 429) headers.set("retry-after", "10");
  return body ? Response.json(body, { status, headers }) : new Response(null, { status, headers });
}
