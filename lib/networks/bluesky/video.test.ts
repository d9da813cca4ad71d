import { expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import type { NetworkFetch, NetworkSession, OutgoingMedia } from "../network";
import { failureOf, memoryRun, newMemory } from "../testing";
import { publishPost } from "./publish";
import { blueskySandbox } from "./testing/sandbox";
import { assertUploadAllowed } from "./video";

const at = blueskySandbox();

function film(seconds: number): OutgoingMedia {
  const facts = { kind: "video", contentType: "video/mp4", filename: "film.mp4" } as const;
  return at.sandbox.file(mp4({ seconds }), facts);
}

/** Returns the session with fixed answers to one method of the video service. */
function answering(session: NetworkSession, nsid: string, answer: () => Response): NetworkSession {
  const { fetch } = session.app;
  const answered: NetworkFetch = async (path, call) => (path.includes(nsid) ? answer() : fetch(path, call));
  return { ...session, app: { ...session.app, fetch: answered } };
}

const publish = (session: NetworkSession, content: string, media: OutgoingMedia[]) =>
  publishPost({ content, media, settings: {} }, memoryRun(session, newMemory()));

test("uploads the whole file if the service has no parts; the same file returns the earlier job", async () => {
  const older = answering(await at.connected("alice"), "startUpload", () => new Response(null, { status: 501 }));
  await publish(older, "Whole", [film(4)]);
  await publish(older, "Whole again", [film(4)]);
  const uploads = (await at.sandbox.calls()).filter(({ path }) => path.endsWith("uploadVideo"));
  expect(uploads.map(({ status }) => status)).toEqual([200, 409]);
  const [one, two] = [await at.held("Whole"), await at.held("Whole again")];
  expect([one.length, two[0]?.media]).toEqual([1, one[0]?.media]);
});

test("starts the upload again if the service lost a part", async () => {
  const session = await at.connected("dave");
  const { fetch } = session.app;
  let isLost = false;
  const losing: NetworkFetch = async (path, call) => {
    if (isLost || !path.includes("uploadPart")) return fetch(path, call);
    isLost = true;
    return Response.json({});
  };
  await publish({ ...session, app: { ...session.app, fetch: losing } }, "Lost", [film(7)]);
  expect(await at.held("Lost")).toHaveLength(1);
});

test("waits if the daily quota is used up", async () => {
  const full = { canUpload: false, error: "daily_limit", message: "User has reached daily upload limit" };
  const session = answering(await at.connected("bob"), "getUploadLimits", () => Response.json(full));
  expect(await failureOf(assertUploadAllowed(session))).toMatchObject({ kind: "later", retryAfterSeconds: 3600 });
});

test("treats unknown states as running", async () => {
  const session = await at.connected("carol");
  const { fetch } = session.app;
  let looks = 0;
  const strange: NetworkFetch = async (path, call) => {
    if (!path.includes("getJobStatus") || ++looks > 2) return fetch(path, call);
    return Response.json({ jobId: "j", did: session.accountId, state: "JOB_STATE_DREAMING" });
  };
  await publish({ ...session, app: { ...session.app, fetch: strange } }, "Strange", [film(6)]);
  expect(looks).toBeGreaterThan(3);
  expect(await at.held("Strange")).toHaveLength(1);
});
