import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { eq } from "drizzle-orm";
import { db, media } from "../../db";
import { as, newOwner, withFiles } from "../../testing";

export type SourceAnswer = (request: IncomingMessage, response: ServerResponse, visit: number) => unknown;

/**
 * A server of files to import, each under its own path.
 * @param slot the exception of `EGRESS_ALLOW` that only this test file uses
 */
export function withSource(slot: number) {
  const answers: { [path: string]: SourceAnswer } = {};
  const files = withFiles(slot, (request, response, asked) => {
    const { pathname } = new URL(request.url ?? "", "http://x");
    const visit = asked.filter(({ path }) => path === request.url).length - 1;
    const answer = answers[pathname] ?? (() => response.writeHead(404).end());
    answer(request, response, visit);
  });
  return {
    /** Serves a file and returns its URL. `visit` counts earlier requests, from 0. */
    serve(name: string, answer: SourceAnswer): string {
      const path = `/${randomBytes(6).toString("hex")}/${name}`;
      answers[path] = answer;
      return files().url + path;
    },
    /** The requests for a URL, in order. */
    askedFor: (url: string) => files().asked.filter(({ path }) => files().url + path === url),
  };
}

/** A new owner with a client. */
export async function newImporter() {
  const id = await newOwner();
  return { id, client: as(id) };
}

export const mediaRows = (ownerId: string) => db.select().from(media).where(eq(media.ownerId, ownerId));
