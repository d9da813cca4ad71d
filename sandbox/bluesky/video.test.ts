import { beforeAll, describe, expect, test } from "vitest";
import { mp4 } from "../testing/mp4";
import { testSandbox } from "../testing/sandbox";
import { answerOf, post, serverOf, signedIn } from "./testing";

const sandbox = testSandbox();
let alice: Awaited<ReturnType<typeof signedIn>>;
beforeAll(async () => {
  alice = await signedIn(sandbox);
});

const LXM = "com.atproto.repo.uploadBlob";
const aud = () => `did:web:${new URL(serverOf(sandbox)).host.replace(":", "%3A")}`;
const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
const tokenOf = async (more: Record<string, string> = {}) => {
  const { body } = await alice.get(
    `com.atproto.server.getServiceAuth?${new URLSearchParams({ aud: aud(), lxm: LXM, exp: inSeconds(1800), ...more })}`,
  );
  return String(body.token);
};
async function upload(bytes: Uint8Array, { token, type = "video/mp4" }: { token?: string; type?: string } = {}) {
  const headers = { authorization: `Bearer ${token ?? (await tokenOf())}`, "content-type": type };
  const query = new URLSearchParams({ did: alice.did, name: "film.mp4" });
  const url = `${sandbox.url}/bluesky/xrpc/app.bsky.video.uploadVideo?${query}`;
  return answerOf(fetch(url, { method: "POST", headers, body: new Uint8Array(bytes) }));
}
async function looked(jobId: unknown, times: number): Promise<Record<string, unknown>[]> {
  const seen: Record<string, unknown>[] = [];
  for (let time = 0; time < times; time++) {
    const { body } = await answerOf(fetch(`${sandbox.url}/bluesky/xrpc/app.bsky.video.getJobStatus?jobId=${jobId}`));
    seen.push(body.jobStatus as Record<string, unknown>); // the lexicon's form
  }
  return seen;
}

describe("a service token", () => {
  test.each<[string, Record<string, string>, string]>([
    ["an expiry in the past", { lxm: LXM, exp: inSeconds(-5) }, "expiration is in past"],
    ["more than an hour", { lxm: LXM, exp: inSeconds(3700) }, "more than an hour"],
    ["more than a minute without a method", { exp: inSeconds(100) }, "method-less token"],
  ])("is rejected for %s", async (_, fields, says) => {
    const answer = await alice.get(
      `com.atproto.server.getServiceAuth?${new URLSearchParams({ aud: aud(), ...fields })}`,
    );
    expect([answer.status, answer.body.error]).toEqual([400, "BadExpiration"]);
    expect(answer.body.message).toContain(says);
  });

  test.each<[string, () => Promise<string>, string]>([
    ["an unknown token", async () => "x", "BadJwt"],
    ["a token for another audience", () => tokenOf({ aud: "did:web:video.bsky.app" }), "BadJwtAudience"],
    ["a token for another method", () => tokenOf({ lxm: "app.bsky.video.getUploadLimits" }), "BadJwtLexiconMethod"],
    ["the account's access token", async () => alice.accessJwt, "BadJwt"],
  ])("is rejected by the video service: %s", async (_, token, error) => {
    const answer = await upload(mp4(), { token: await token() });
    expect([answer.status, answer.body.error]).toEqual([401, error]);
  });

  test("expires", async () => {
    const token = await tokenOf();
    await sandbox.advance(1801);
    expect((await upload(mp4(), { token })).body.error).toBe("JwtExpired");
    alice = await signedIn(sandbox);
  });
});

describe("an upload", () => {
  test("returns the job without a wrapper, and advances with each status request", async () => {
    const { status, body } = await upload(mp4({ seconds: 3 }));
    expect([status, body.did, body.state, body.jobStatus]).toEqual([200, alice.did, "JOB_STATE_CREATED", undefined]);
    const seen = await looked(body.jobId, 4);
    expect(seen.map(({ state }) => state)).toEqual([
      "JOB_STATE_ENCODING",
      "JOB_STATE_SCANNING",
      "JOB_STATE_UPLOADING",
      "JOB_STATE_COMPLETED",
    ]);
    expect(seen.at(-1)?.blob).toMatchObject({ $type: "blob", mimeType: "video/mp4" });
    const again = await upload(mp4({ seconds: 3 }));
    expect(again).toMatchObject({
      status: 409,
      body: { error: "already_exists", jobId: body.jobId, blob: seen.at(-1)?.blob },
    });
  });

  test.each<[string, () => Uint8Array, string]>([
    ["a file that is not a video", () => Buffer.from("words"), "File is not a video"],
    ["a video longer than ten minutes", () => mp4({ seconds: 601, fps: 1 }), "Video is too long"],
  ])("fails with the reason: %s", async (_, bytes, says) => {
    const { body } = await upload(bytes());
    const seen = await looked(body.jobId, 4);
    expect(seen.at(-1)).toMatchObject({ state: "JOB_STATE_FAILED", failureCode: "validation_failure", message: says });
  });

  test("rejects other content types at once", async () => {
    expect((await upload(mp4(), { type: "image/png" })).body.error).toBe("UnsupportedContentType");
  });

  test("rejects accounts without a confirmed email address", async () => {
    await sandbox.control("POST", "bluesky/account", { account: "alice", isEmailUnconfirmed: true });
    const token = await tokenOf({ aud: "did:web:video.bsky.app", lxm: "app.bsky.video.getUploadLimits" });
    const headers = { authorization: `Bearer ${token}` };
    const limits = await answerOf(fetch(`${sandbox.url}/bluesky/xrpc/app.bsky.video.getUploadLimits`, { headers }));
    expect(limits.body).toMatchObject({ canUpload: false });
    expect(await upload(mp4())).toMatchObject({ status: 403, body: { error: "UploadForbidden" } });
    await sandbox.control("POST", "bluesky/account", { account: "alice", isEmailUnconfirmed: false });
  });
});

describe("an upload in parts", () => {
  const at = (nsid: string) => `${sandbox.url}/bluesky/xrpc/app.bsky.video.${nsid}`;
  const start = async (body: object) =>
    answerOf(post(at("startUpload"), body, { authorization: `Bearer ${await tokenOf()}` }));
  const part = async (jobId: unknown, number: number, bytes: Uint8Array) => {
    const headers = { authorization: `Bearer ${await tokenOf()}`, "content-type": "application/octet-stream" };
    const url = `${at("uploadPart")}?jobId=${jobId}&partNumber=${number}`;
    return answerOf(fetch(url, { method: "POST", headers, body: new Uint8Array(bytes) }));
  };
  const finish = async (jobId: unknown) =>
    answerOf(post(at("finishUpload"), { jobId }, { authorization: `Bearer ${await tokenOf()}` }));

  test.each([
    ["VideoTooLarge", { sizeBytes: 300_000_001, mimeType: "video/mp4" }],
    ["VideoTooLong", { sizeBytes: 1000, mimeType: "video/mp4", durationMs: 600_001 }],
    ["UnsupportedContentType", { sizeBytes: 1000, mimeType: "text/plain" }],
  ])("%s", async (error, body) => {
    expect(await start(body)).toMatchObject({ status: 400, body: { error } });
  });

  test("accepts parts of the exact length in any order and repeatedly, requires all, and finishes idempotently", async () => {
    const bytes = Buffer.concat([mp4({ seconds: 4 }), Buffer.alloc(5 * 1_048_576)]);
    const { body } = await start({ sizeBytes: bytes.length, mimeType: "video/mp4" });
    const size = Number(body.partSizeBytes);
    expect(body.partCount).toBe(2);
    expect((await part(body.jobId, 1, Buffer.alloc(10))).body.error).toBe("PartSizeMismatch");
    expect((await part(body.jobId, 3, Buffer.alloc(10))).body.error).toBe("InvalidPartNumber");
    expect((await part(body.jobId, 2, bytes.subarray(size))).status).toBe(200);
    const early = await finish(body.jobId);
    expect([early.body.error, early.body.message]).toEqual(["MissingParts", "Missing parts: 1"]);
    for (let time = 0; time < 2; time++) expect((await part(body.jobId, 1, bytes.subarray(0, size))).status).toBe(200);
    const [first, second] = [await finish(body.jobId), await finish(body.jobId)];
    expect([first.status, second.body.completedJobId]).toEqual([200, first.body.completedJobId]);
  });

  test("an upload expires after an hour", async () => {
    const { body } = await start({ sizeBytes: 1000, mimeType: "video/mp4" });
    await sandbox.advance(3600);
    expect((await part(body.jobId, 1, Buffer.alloc(1000))).body.error).toBe("UploadExpired");
    expect((await finish("nothing")).body.error).toBe("UploadNotFound");
  });
});
