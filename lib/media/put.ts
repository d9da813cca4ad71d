import { eq } from "drizzle-orm";
import { databaseNow, db, uploads } from "../db";
import { AccessDenied, ApiError, NotFound } from "../errors";
import { bodyOf } from "../http/incoming";
import { discard, PACE, putProblem, SlowSender, StreamCut, stageUndigested, store, uploadOf } from "../storage";
import { cut, tooSlow } from "./part";

/**
 * `PUT /media/uploads/{owner}/{name}`: what a grant of the embedded store is used for. The file lies beside the media until
 * it is confirmed or first used; until its end a grant may be used again, and the last one counts.
 * @throws AccessDenied for anything that is not exactly what was granted, or too late
 */
export async function answerPut(key: string, request: Request, pace = PACE): Promise<Response> {
  const length = request.headers.get("content-length");
  if (length === null) throw new ApiError(411, "Content-Length is missing");
  const query = new URL(request.url).searchParams;
  const problem = putProblem(key, query, request.headers, await databaseNow());
  if (problem) throw new AccessDenied(problem);
  // Its owner may be gone since: nothing is taken for nobody.
  const [grant] = await db.select({ id: uploads.id }).from(uploads).where(eq(uploads.key, key));
  if (!grant) throw new NotFound("Upload", key);
  const body = bodyOf(request);
  if (!body) throw cut();
  const file = await stageUndigested(body, Number(length), pace).catch((error) => Promise.reject(refusalOf(error)));
  try {
    if (file.sizeBytes !== Number(length)) throw cut();
    await store.put(uploadOf(key), file, request.headers.get("content-type") ?? "");
  } finally {
    await discard(file);
  }
  return new Response(null, { status: 200 });
}

/** What the sender is told; what is our own fault stays what it is. */
function refusalOf(error: unknown): unknown {
  if (error instanceof SlowSender) return tooSlow();
  return error instanceof StreamCut ? cut() : error;
}
