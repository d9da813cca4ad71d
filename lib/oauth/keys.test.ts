import { decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import { db, signingKeys } from "../db";
import { newOwner } from "../testing";
import { createApplication, createPersonalToken, findBearerGrant, rotateSigningKey } from ".";

test("rotation: the new key signs from now on, and tokens of the old key stay valid", async () => {
  const owner = await newOwner();
  const { access_token: before } = await createPersonalToken(owner, ["posts.read"]);
  const { kid } = await rotateSigningKey();
  const { access_token: after } = await createPersonalToken(owner, ["posts.read"]);
  expect(decodeProtectedHeader(after)).toEqual({ alg: "ES256", typ: "at+jwt", kid });
  expect(decodeProtectedHeader(before).kid).not.toBe(kid);
  for (const token of [before, after]) expect(await findBearerGrant(token)).toMatchObject({ user: { id: owner } });
});

test("private keys are stored sealed, and public keys without their private part", async () => {
  await rotateSigningKey();
  for (const { publicJwk, privateJwkSealed } of await db.select().from(signingKeys)) {
    expect(Object.keys(publicJwk as object).sort()).toEqual(["crv", "kty", "x", "y"]);
    expect(privateJwkSealed.toString("latin1")).not.toContain('"d"');
  }
});

test.each([
  [[], "redirect-uri cannot be null"],
  [["/callback"], "redirect-uri must be an absolute address without a fragment: /callback"],
  [["https://example.com/#a"], "redirect-uri must be an absolute address without a fragment: https://example.com/#a"],
  [["http://example.com/"], "redirect-uri must be https: http://example.com/"],
  [
    ["http://a.example", "x"],
    "redirect-uri must be https: http://a.example; redirect-uri must be an absolute address without a fragment: x",
  ],
])("rejects an application with the redirect URIs %j", async (uris, says) => {
  await expect(createApplication("Test app", uris)).rejects.toThrow(says);
});
