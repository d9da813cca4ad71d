import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { eq } from "drizzle-orm";
import { db, media } from "../../db";
import { as, newOwner, withFiles } from "../../testing";

export type SourceAnswer = (request: IncomingMessage, response: ServerResponse, visit: number) => unknown;

/**
 * A server of files that can be imported, each under a path of its own.
 * @param slot the run's exception of `EGRESS_ALLOW` that this test file alone has
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
    /** Serves something, and answers its URL. `visit` counts from 0 how often it was asked for before. */
    serve(name: string, answer: SourceAnswer): string {
      const path = `/${randomBytes(6).toString("hex")}/${name}`;
      answers[path] = answer;
      return files().url + path;
    },
    /** The requests for a URL, in their order. */
    askedFor: (url: string) => files().asked.filter(({ path }) => files().url + path === url),
  };
}

/** Somebody new, with calls of their own. */
export async function newImporter() {
  const id = await newOwner();
  return { id, client: as(id) };
}

export const mediaRows = (ownerId: string) => db.select().from(media).where(eq(media.ownerId, ownerId));
