import type { NetworkCall, Session } from "../network";
import { version } from "./version";

/** The member's URN, as author of posts and owner of files. */
export function authorOf({ accountId }: Session): string {
  return `urn:li:person:${accountId}`;
}

/** Calls the versioned API with the headers that every call needs. */
export function rest(session: Session, path: string, body?: object, more: NetworkCall = {}): Promise<Response> {
  const headers = { "linkedin-version": version.name, "x-restli-protocol-version": "2.0.0" };
  if (!body) return session.fetch(path, { ...more, headers });
  const json = { "content-type": "application/json", ...headers };
  return session.fetch(path, { method: "POST", ...more, headers: json, body: JSON.stringify(body) });
}
