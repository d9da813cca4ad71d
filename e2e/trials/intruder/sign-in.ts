import { randomUUID } from "node:crypto";
import { expect } from "playwright/test";
import type { MailServer } from "../../../lib/mail/testing/smtp";
import { codeAt } from "../../../lib/users/testing/authenticator-app";
import { jsonOf, send, sendForm } from "../http";
import { cookiesOf, hiddenFields, newPerson } from "../people";
import type { TrialContext } from "../trial";
import { type Browser, browserWith, enter, reset, signUp, waitForMail } from "./person";

const PASSWORD = "a long password";
const NEW_PASSWORD = "another long password";
const STEP_MS = 30_000;

/** Adds an authenticator app. @returns its secret, and the code that was used */
export async function addAuthenticator(browser: Browser): Promise<{ secret: string; code: string }> {
  const { text } = await browser.get("/settings/authenticator");
  const secret = (/class="code secret">([^<]+)</.exec(text)?.[1] ?? "").replace(/\s/g, "");
  const code = await codeAt(secret, Date.now());
  expect((await browser.form("/settings/authenticator", { ...hiddenFields(text), code })).status).toBe(200);
  return { secret, code };
}

/**
 * An intruder who knows the password of a confirmed address adds an authenticator app. After a reset it stays, as ADR 25 decides,
 * but neither its codes nor a sign-in that had begun let the intruder in. The operator lets the owner in.
 */
export async function authenticatorOfIntruder({ product, seed }: TrialContext, mails: MailServer): Promise<void> {
  const { url } = product;
  const { email } = await newPerson(product, `authenticator-${seed}@example.com`);
  const intruder = await enter(product, email);
  const { secret } = await addAuthenticator(intruder);
  await waitForMail(mails, email, "second factor was added");
  const begun = browserWith(product, cookiesOf(await sendForm(url, "/sign-in", { email, password: PASSWORD })));

  await reset(product, mails, email, NEW_PASSWORD);
  expect(await intruder.status()).toBe(401);
  // The next code, which has not been used.
  const answer = await begun.form("/sign-in/code", { code: await codeAt(secret, Date.now() + STEP_MS) });
  expect(cookiesOf(answer), "a right code after the old password").not.toContain("session");
  expect(await begun.status()).toBe(401);
  expect((await sendForm(url, "/sign-in", { email, password: PASSWORD })).status).toBe(401);

  const half = await sendForm(url, "/sign-in", { email, password: NEW_PASSWORD });
  expect(half.headers.location, "the reset keeps the second step").toContain("/sign-in/code");
  await product.carillon("users", "remove-factors", "--email", email);
  expect(await (await enter(product, email, NEW_PASSWORD)).status()).toBe(200);
}

/** A password alone must not sign in a person with an authenticator app, and a code must work once. */
export async function secondFactor({ product, seed }: TrialContext): Promise<void> {
  const { email } = await newPerson(product, `factor-${seed}@example.com`);
  const owner = await enter(product, email);
  const { code } = await addAuthenticator(owner);

  const half = await sendForm(product.url, "/sign-in", { email, password: PASSWORD });
  expect(half.headers.location).toContain("/sign-in/code");
  const intruder = browserWith(product, cookiesOf(half));
  expect(await intruder.status()).toBe(401);
  expect((await intruder.form("/sign-in/code", { code })).status, "a code that was used").toBe(401);
  expect(await intruder.status()).toBe(401);
}

/**
 * Signing up with another person's address must look like signing up with a free one, also from inside the new account, and
 * must not touch the person to whom the address belongs (ADR 43).
 */
export async function takenAddress({ product, seed }: TrialContext, mails: MailServer): Promise<void> {
  const { url } = product;
  const taken = `taken-${seed}@example.com`;
  await signUp(product, taken, "an early password");
  await waitForMail(mails, taken, "Confirm your email address");
  await newPerson(product, taken);

  const seen: unknown[] = [];
  for (const email of [taken, `free-${seed}@example.com`]) {
    const answer = await sendForm(url, "/sign-up", { email, password: "any password" });
    const cookies = (answer.headers["set-cookie"] ?? []).map((cookie) => cookie.split("=")[0]);
    const stranger = browserWith(product, cookiesOf(answer));
    const again = await stranger.form("/confirm-email/again", {});
    const home = await stranger.get("/settings");
    const { mails: listed } = jsonOf<{ mails: unknown[] }>(await stranger.get("/v1/me/export"));
    seen.push({
      ...{ status: answer.status, location: answer.headers.location, cookies, text: answer.text },
      ...{ again: [again.status, again.text.replaceAll(email, "…")], settings: home.status, listed },
      posts: (await stranger.get("/v1/posts")).status,
      webhook: (
        await stranger.json("POST", "/v1/webhooks", { url: "https://93.184.215.14/hook", events: ["post.completed"] })
      ).status,
      signsIn: (await sendForm(url, "/sign-in", { email, password: "any password" })).status,
    });
  }
  expect(seen[0], "signing up with a taken address").toEqual(seen[1]);
  expect(seen[0]).toMatchObject({ status: 303, posts: 200, webhook: 403, signsIn: 303, listed: [] });
  await waitForMail(mails, taken, "You already have an account");

  const early = mails.for(taken).find(({ text }) => text.includes("/confirm-email?token="));
  const link = new URL(/http\S+\/confirm-email\?\S+/.exec(early?.text ?? "")?.[0] ?? "about:blank");
  const pressed = await sendForm(url, "/confirm-email", { token: link.searchParams.get("token") ?? "" });
  expect([pressed.status, pressed.text]).toEqual([409, expect.stringContaining("confirmed by another account")]);

  await reset(product, mails, taken, NEW_PASSWORD);
  expect(await (await enter(product, taken, NEW_PASSWORD)).status()).toBe(200);
  expect((await sendForm(url, "/sign-in", { email: taken, password: PASSWORD })).status).toBe(401);
  expect(await (await enter(product, taken, "any password")).status(), "the stranger's own account stays").toBe(200);
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
    for (const instant of ["2026-99-99 00:00:00+00", "2026-02-31 00:00:00+00", "0000-01-01 00:00:00+00"]) {
      for (const id of [1, randomUUID()]) {
        const cursor = Buffer.from(JSON.stringify([instant, id])).toString("base64url");
        const query = path === "/v1/posts" ? `sort=scheduledTime&cursor=${cursor}` : `cursor=${cursor}`;
        const { status } = await send(product.url, `${path}?${query}`, { headers: person.headers });
        expect(status, `${path} ${instant}`).toBeGreaterThanOrEqual(400);
        expect(status, `${path} ${instant}`).toBeLessThan(500);
      }
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
