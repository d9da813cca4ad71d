import { expect } from "@playwright/test";
import { codeAt } from "../../../lib/users/testing/authenticator-app";
import { jsonOf, send, sendForm } from "../http";
import { cookiesOf, hiddenFields, newPerson } from "../people";
import type { TrialContext } from "../trial";
import { browserWith, enter } from "./person";

const PASSWORD = "a long password";

/** A password alone must not sign in a person with an authenticator app, and a code must work once. */
export async function secondFactor({ product, seed }: TrialContext): Promise<void> {
  const { email } = await newPerson(product, `factor-${seed}@example.com`);
  const owner = await enter(product, email);
  const { text } = await owner.get("/settings/authenticator");
  const secret = (/class="code secret">([^<]+)</.exec(text)?.[1] ?? "").replace(/\s/g, "");
  const code = await codeAt(secret, Date.now());
  const added = await owner.form("/settings/authenticator", { ...hiddenFields(text), code });
  expect(added.status).toBe(200);

  const half = await sendForm(product.url, "/sign-in", { email, password: PASSWORD });
  expect(half.headers.location).toContain("/sign-in/code");
  const intruder = browserWith(product, cookiesOf(half));
  expect(await intruder.status()).toBe(401);
  expect((await intruder.form("/sign-in/code", { code })).status, "a code that was used").toBe(401);
  expect(await intruder.status()).toBe(401);
}

/** The lists of the API, from its own description. */
type Described = { paths: { [path: string]: { get?: { parameters?: { name: string }[] } } } };

/** Cursors and dates that no calendar has must be refused as bad input. */
export async function impossibleInstants({ product, seed }: TrialContext): Promise<void> {
  const person = await newPerson(product, `instants-${seed}@example.com`);
  const { paths } = jsonOf<Described>(await send(product.url, "/v1/openapi.json"));
  const lists = Object.entries(paths).filter(
    ([path, { get }]) => !path.includes("{") && get?.parameters?.some(({ name }) => name === "cursor"),
  );
  expect(lists.length).toBeGreaterThan(2);
  for (const [path] of lists) {
    for (const instant of ["2026-99-99T00:00:00Z", "2026-02-31T00:00:00Z", "0000-01-01T00:00:00Z"]) {
      const cursor = Buffer.from(JSON.stringify([instant, 1])).toString("base64url");
      const { status } = await send(product.url, `${path}?cursor=${cursor}`, { headers: person.headers });
      expect(status, `${path} ${instant}`).toBeLessThan(500);
    }
  }
}
