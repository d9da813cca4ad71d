import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import * as signInPage from "@/app/sign-in/route";
import { db, publishAttempts } from "../db";
import { env } from "../env";
import { createPersonalToken } from "../oauth";
import { assertFreeSpace } from "../storage";
import {
  as,
  connectAccount,
  jpeg,
  newOwner,
  picture,
  readResponse,
  schedule,
  settled,
  upload,
  uploaded,
  withWorker,
} from "../testing";
import { withApiServed } from "../testing/served";
import { withSettings } from "../testing/settings";
import { fillDisk, withSmallDisk } from "../testing/small-disk";
import { createUser } from "../users";

const MB = 1_048_576;
const PASSWORD = "a long password";
const NO_SPACE = {
  error: "The service has no space for new files at the moment. Try again later; the operator has to free some",
};

const small = withSmallDisk();
if (small) withSettings({ dataDir: small, reservedDiskBytes: 0 });
withApiServed(); // Instagram fetches files itself, from the product's own address
withWorker();

/** An owner with accounts on X and Instagram, and with files that were stored while there was space. */
async function ownerWithFiles() {
  const owner = await newOwner();
  const client = as(owner);
  const [x, instagram] = [await connectAccount(owner, "X_TWITTER"), await connectAccount(owner, "INSTAGRAM")];
  const png = await sharp(await jpeg())
    .png()
    .toBuffer();
  const paths = { jpeg: await picture(owner), png: await uploaded(client, png, "bells.png") };
  const onX = (content: string, ...attachmentPaths: string[]) => {
    return { socialMediaAccountId: x.id, platformSettings: { type: "TWITTER" }, posts: [{ content, attachmentPaths }] };
  };
  const onInstagram = {
    socialMediaAccountId: instagram.id,
    platformSettings: { type: "INSTAGRAM" },
    posts: [{ content: "Bells", attachmentPaths: [paths.png] }],
  };
  return { client, paths, onX, onInstagram };
}

/** Signs in with a password, as a browser does. */
async function signIn(): Promise<string | null> {
  const email = `${randomUUID()}@example.com`;
  await createUser({ email, password: PASSWORD });
  const body = new URLSearchParams({ email, password: PASSWORD });
  const answer = await signInPage.POST(new Request(`${env.appUrl}/sign-in`, { method: "POST", body }));
  return answer.headers.getSetCookie().find((cookie) => /session-token=[^;]/.test(cookie)) ?? null;
}

/** A post with text and one with a file that was stored before are published, and a person can sign in. */
async function expectTheRestToWork({ client, paths, onX }: Awaited<ReturnType<typeof ownerWithFiles>>): Promise<void> {
  expect(await signIn()).not.toBeNull();
  const text = await schedule(client, [onX("only words")]);
  const file = await schedule(client, [onX("with a picture", paths.jpeg)]);
  for (const { id } of [text, file]) expect((await settled(client, id)).overallStatus).toBe("COMPLETED");
}

describe.skipIf(!small)("a disk of 8 MB under the media store (needs the right to mount one)", () => {
  const ballast = join(small ?? "", "ballast");

  test("below the reserve: uploads are refused, while publishing and sign-in continue", async () => {
    const owner = await ownerWithFiles();
    const kept = env.reservedDiskBytes;
    Object.assign(env, { reservedDiskBytes: 2 * MB });
    try {
      await writeFile(ballast, Buffer.alloc(6 * MB));
      expect(await readResponse(upload(owner.client, await jpeg()))).toEqual([507, NO_SPACE]);
      await expectTheRestToWork(owner);
    } finally {
      Object.assign(env, { reservedDiskBytes: kept });
      await rm(ballast);
    }
  });

  test("an upload that could not be staged reserves nothing", async () => {
    const { access_token } = await createPersonalToken(await newOwner(), ["media.write"]);
    const body = new FormData();
    body.set("file", new Blob([new Uint8Array(await jpeg()), new Uint8Array(4 * MB)]), "a.jpg");
    const staged = join(small ?? "", "objects", "staged");
    await rename(staged, `${staged}-kept`);
    await writeFile(staged, ""); // a file where the folder should be
    try {
      // Over HTTP, because only then does the request declare its length.
      const headers = { authorization: `Bearer ${access_token}` };
      expect((await fetch(`${env.appUrl}/v1/media/upload`, { method: "POST", headers, body })).status).toBe(500);
    } finally {
      await rm(staged);
      await rename(`${staged}-kept`, staged);
    }
    await expect(assertFreeSpace(5 * MB, small)).resolves.toBeUndefined();
  });

  test("without a free byte: 507 for new files, and a post that needs a converted file waits until there is space", async () => {
    const owner = await ownerWithFiles();
    const { client, onInstagram } = owner;
    const bytes = await jpeg();
    const given = { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: bytes.length };
    const [, granted] = await readResponse(client.post("/v1/media/upload/urls", given));
    const { key, url, headers } = granted as { key: string; url: string; headers: { [name: string]: string } };
    expect((await fetch(url, { method: "PUT", headers, body: new Uint8Array(bytes) })).status).toBe(200);
    const confirm = () => readResponse(client.post("/v1/media/upload/confirm", { key }));
    let waiting: number;
    await fillDisk(ballast);
    try {
      for (const sizeBytes of [0, 2 * MB]) {
        const file = Buffer.concat([await jpeg(), Buffer.alloc(sizeBytes)]);
        expect(await readResponse(upload(client, file))).toEqual([507, NO_SPACE]);
      }
      expect(await confirm()).toEqual([507, NO_SPACE]);
      const made = await schedule(client, [onInstagram]);
      waiting = made.id;
      const publicationId = made.publications[0]?.id ?? 0;
      await expect
        .poll(() => db.select().from(publishAttempts).where(eq(publishAttempts.publicationId, publicationId)))
        .toEqual([
          expect.objectContaining({
            outcome: "RETRYING",
            message: "bells.png could not be converted because the disk of the service is full",
          }),
        ]);
      await expectTheRestToWork(owner);
    } finally {
      await rm(ballast);
    }
    expect((await settled(client, waiting)).overallStatus).toBe("COMPLETED");
    expect((await confirm())[0]).toBe(200);
  });
});
