import type { NetworkCall, Session } from "../network";
import { version } from "./version";

/** The member as author of posts and owner of files. */
export function authorOf({ accountId }: Session): string {
  return `urn:li:person:${accountId}`;
}

/** A call of the versioned API, with the headers that all of them need. */
export function rest(session: Session, path: string, body?: object, more: NetworkCall = {}): Promise<Response> {
  const headers = { "linkedin-version": version.name, "x-restli-protocol-version": "2.0.0" };
  if (!body) return session.fetch(path, { ...more, headers });
  const json = { "content-type": "application/json", ...headers };
  return session.fetch(path, { method: "POST", ...more, headers: json, body: JSON.stringify(body) });
}
