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

/** Guessing at one account must become slow, and keep neither its person out nor tell which addresses exist. */
export async function guessing({ product, seed }: TrialContext): Promise<void> {
  const { url } = product;
  const { email } = await newPerson(product, `guessed-${seed}@example.com`);
  const owner = await enter(product, email); // this browser is known to the account from now on
  for (const address of [email, `unknown-${seed}@example.com`]) {
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      statuses.push((await sendForm(url, "/sign-in", { email: address, password: `guess ${guess}` })).status);
    }
    expect(statuses, address).toEqual([401, 401, 401, 401, 401, 429]);
  }
  expect((await sendForm(url, "/sign-in", { email, password: PASSWORD })).status, "not even checked").toBe(429);
  expect((await owner.form("/sign-in", { email, password: PASSWORD })).status).toBe(303);

  const pages: unknown[] = [];
  for (const address of [email, `new-${seed}@example.com`]) {
    const { status, headers, text } = await sendForm(url, "/sign-up", { email: address, password: "any password" });
    pages.push([status, headers.location, text]);
  }
  expect(pages[0], "signing up with a known address").toEqual(pages[1]);
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
  const staff = `staff-${seed}@example.com`;
  await product.carillon("users", "create", "--email", staff, "--password", PASSWORD, "--role", "staff");
  const reader = await enter(product, staff);
  for (const day of ["0000-01-01", "2026-02-31", "2026-99-99"]) {
    const { status } = await reader.get(`/staff/audit?${new URLSearchParams({ from: day, to: day })}`);
    expect(status, `the audit log from ${day}`).toBeLessThan(500);
  }
}

/** A network's redirect with an error or an odd code is bad input, not a failure of the network. */
export async function oddCallbacks({ product, seed }: TrialContext): Promise<void> {
  const { url } = product;
  const { email } = await newPerson(product, `callbacks-${seed}@example.com`);
  const owner = await enter(product, email);
  for (const odd of ["error=server_error", "error=%00", "code=%00", `code=${"a".repeat(5_000)}`, "code="]) {
    const link = (await owner.form("/oauth/connect/new", { platform: "X_TWITTER" })).headers.location ?? "";
    const opened = await send(url, link.replace(url, ""));
    const state = new URL(opened.headers.location ?? "about:blank").searchParams.get("state") ?? "";
    const callback = `/oauth/connect/callback/x?${odd}&${new URLSearchParams({ state })}`;
    const { status } = await send(url, callback, { headers: { cookie: cookiesOf(opened) } });
    expect(status, odd.slice(0, 20)).toBe(400);
  }
}
