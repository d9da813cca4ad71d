import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { perProcess } from "../db/per-process";
import { env } from "../env";
import { discard, stage } from "./staged";
import { assertObjectName, headersOf, isObjectName, type ObjectName, type Store, uploadOf } from "./store";
import { StoreUnavailable, storeUnavailableOf } from "./unavailable";
import { CHUNK } from "./writer";

const PREFLIGHT_TIMEOUT_MS = 5_000;
/** How long the bucket may take to answer, and the slowest rate at which it may take a file. */
const ANSWER_MS = 30_000;
const SLOWEST_BYTES_PER_MS = 65_536 / 1_000;

/** Returns why browsers cannot upload files to the bucket, or undefined if they can or there is no bucket. */
export async function corsProblem(now = new Date()): Promise<string | undefined> {
  if (!env.s3) return undefined;
  const terms = { contentType: "image/jpeg", sizeBytes: 1, filename: "a.jpg", now };
  const key = `${randomUUID()}/${randomUUID()}.jpg`;
  const expiresAt = new Date(now.getTime() + 60_000);
  const { url, headers } = await s3Store(env.s3).grantPut({ ...terms, key, expiresAt });
  return preflightProblem(url, Object.keys(headers), new URL(env.appUrl).origin);
}

/** Sends the preflight request of a browser (Fetch standard, "CORS-preflight fetch") and returns what would block the upload. */
export async function preflightProblem(url: string, headers: string[], origin: string): Promise<string | undefined> {
  const names = headers.map((name) => name.toLowerCase()).sort();
  const asked = {
    origin,
    "access-control-request-method": "PUT",
    "access-control-request-headers": names.join(","),
  };
  const signal = AbortSignal.timeout(PREFLIGHT_TIMEOUT_MS);
  const answer = await fetch(url, { method: "OPTIONS", headers: asked, redirect: "manual", signal }).catch(
    () => undefined,
  );
  if (!answer) return "the bucket cannot be reached";
  await answer.body?.cancel(); // an unread body can end the process (ADR 61)
  const allowed = (name: string) =>
    (answer.headers.get(`access-control-allow-${name}`) ?? "").split(",").map((one) => one.trim().toLowerCase());
  const isOrigin = answer.ok && [origin.toLowerCase(), "*"].some((one) => allowed("origin").includes(one));
  if (!isOrigin) return `the bucket has no CORS rule for ${origin}`;
  if (!["put", "*"].some((one) => allowed("methods").includes(one))) return "the bucket's CORS rule does not allow PUT";
  const missing = allowed("headers").includes("*") ? [] : names.filter((name) => !allowed("headers").includes(name));
  return missing.length > 0 ? `the bucket's CORS rule does not allow the headers ${missing.join(", ")}` : undefined;
}

type S3Settings = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/**
 * Stores objects in an S3-compatible bucket under their own names. Uses path-style URLs, which every such store supports. Its
 * functions throw `StoreUnavailable` if the bucket does not answer.
 */
export function s3Store(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings,
  answerMs = ANSWER_MS,
): Store {
  const connected = perProcess(`s3 ${endpoint} ${bucket}`, () => {
    let connection: Promise<Connection> | undefined;
    return () => {
      connection ??= connect();
      return connection;
    };
  });
  type Connection = Awaited<ReturnType<typeof connect>>;

  /** The SDK is large, so it is loaded only if there is a bucket. */
  async function connect() {
    const [sdk, presigner] = await Promise.all([import("@aws-sdk/client-s3"), import("@aws-sdk/s3-request-presigner")]);
    const client: S3Client = new sdk.S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
      // By default the presigner adds the checksum of an empty body to the URL. Older stores do not support checksums.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      // Without `throwOnRequestTimeout`, the SDK only logs that a request takes too long, and waits for ever.
      requestHandler: { connectionTimeout: 5_000, requestTimeout: answerMs, throwOnRequestTimeout: true },
    });
    const naming = (error: unknown) => Promise.reject(storeUnavailableOf(error));
    client.middlewareStack.add((next) => (call) => next(call).catch(naming), { step: "initialize" });
    return { sdk, presigner, client };
  }
  const at = (name: ObjectName) => {
    assertObjectName(name);
    return { Bucket: bucket, Key: name };
  };

  async function read(name: ObjectName, range?: { first: number; last: number }) {
    const Range = range && `bytes=${range.first}-${range.last}`;
    const { sdk, client } = await connected();
    const found = await client.send(new sdk.GetObjectCommand({ ...at(name), Range })).catch(absent);
    if (!(found?.Body instanceof Readable)) return undefined;
    const sizeBytes = Number(found.ContentRange?.split("/")[1] ?? found.ContentLength);
    return { sizeBytes, body: found.Body };
  }

  return {
    async put(name, file, contentType) {
      const { sdk, client } = await connected();
      const { path, sizeBytes } = file;
      const object = { ...at(name), ContentLength: sizeBytes, ContentType: contentType };
      const send = async () => {
        const Body = (await open(path)).createReadStream({ highWaterMark: CHUNK });
        try {
          await client.send(new sdk.PutObjectCommand({ ...object, Body }), {
            requestTimeout: answerMs + sizeBytes / SLOWEST_BYTES_PER_MS,
          });
        } finally {
          Body.destroy();
        }
      };
      // The SDK repeats all other calls, but cannot read a stream twice. The bucket may just have closed an idle connection.
      await send().catch((error) => (error instanceof StoreUnavailable ? send() : Promise.reject(error)));
      await discard(file);
    },

    async read(name, range) {
      const found = await read(name, range);
      if (!found) return undefined;
      return {
        sizeBytes: found.sizeBytes,
        stream: () => Readable.toWeb(found.body) as ReadableStream<Uint8Array>,
      };
    },

    async copyOut(name, maxBytes) {
      const found = await read(name);
      return found && stage(found.body, maxBytes);
    },

    async remove(name) {
      const { sdk, client } = await connected();
      await client.send(new sdk.DeleteObjectCommand(at(name))).catch(absent);
    },

    async *list(area) {
      const { sdk, client } = await connected();
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${area}/` })) {
        for (const { Key: name = "", Size, LastModified } of page.Contents ?? []) {
          if (LastModified && isObjectName(name)) yield { name, sizeBytes: Size ?? 0, writtenAt: LastModified };
        }
      }
    },

    async grantPut(terms) {
      const { sdk, presigner, client } = await connected();
      const headers = headersOf(terms);
      const command = new sdk.PutObjectCommand({
        ...at(uploadOf(terms.key)),
        ContentType: terms.contentType,
        ContentLength: terms.sizeBytes,
        Metadata: metadataOf(headers),
      });
      const url = await presigner.getSignedUrl(client, command, {
        signingDate: terms.now,
        expiresIn: Math.floor((terms.expiresAt.getTime() - terms.now.getTime()) / 1000),
        // By default only the host is signed, and metadata moves to the query, where it would not be enforced.
        signableHeaders: new Set(["content-type", "content-length", "host"]),
        unhoistableHeaders: new Set(Object.keys(headers).filter((name) => name.startsWith("x-amz-meta-"))),
      });
      return { url, headers };
    },
  };
}

/** The SDK expects metadata names without the prefix. */
function metadataOf(headers: { [name: string]: string }): { [name: string]: string } {
  const prefix = "x-amz-meta-";
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}

/** Converts "not found" to undefined and rethrows any other error. */
function absent(error: unknown): undefined {
  if (error instanceof Error && ["NoSuchKey", "NotFound"].includes(error.name)) return undefined;
  throw error;
}
