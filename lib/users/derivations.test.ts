import { createHook } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as resetPage from "@/app/reset-password/route";
import * as signInPage from "@/app/sign-in/route";
import * as signUpPage from "@/app/sign-up/route";
import { db, users } from "../db";
import { env } from "../env";
import { newTokenLink } from "../mail/tokens";
import "../testing";
import { changePassword } from "./passwords";
import { newPersonWithPassword } from "./testing/people";
import { newSession } from "./testing/sessions";
import { hasAddress } from "./users";

// How often a password is derived decides how long an answer takes: 80 ms each. So the number must not depend on whether an
// address has an account, and how many (ADR 43). Node reports each derivation that it begins.

const MINE = "the owner's password";
const THEIRS = "a stranger's password";

let derivations = 0;
const hook = createHook({
  init(_, type) {
    if (type === "SCRYPTREQUEST") derivations += 1;
  },
});
beforeAll(() => {
  hook.enable();
  return () => void hook.disable();
});

async function derivationsOf(work: () => Promise<unknown>): Promise<number> {
  const before = derivations;
  await work();
  return derivations - before;
}

type Page = { POST(request: Request): Promise<Response> };
let networks = 0;

async function submit(page: Page, path: string, fields: { [name: string]: string }): Promise<number> {
  const headers = { "x-client-address": `198.51.100.${networks++}` };
  const body = new URLSearchParams(fields);
  return (await page.POST(new Request(`${env.appUrl}${path}`, { method: "POST", headers, body }))).status;
}

const signIn = (email: string, password: string) => submit(signInPage, "/sign-in", { email, password });
const signUp = (email: string, password: string) => submit(signUpPage, "/sign-up", { email, password });

/** Addresses with these people: one who has confirmed it, and strangers who signed up with it. */
async function newAddress(people: { owner: boolean; strangers: number }): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  if (people.owner) await newPersonWithPassword(MINE, email);
  for (let nth = 0; nth < people.strangers; nth++) await signUp(email, `${THEIRS} ${nth}`);
  return email;
}

async function reset(email: string, ownerId: string, password: string): Promise<number> {
  const link = await newTokenLink("resetPassword", { path: "/", seconds: 60 }, { ownerId, email });
  const token = new URL(link).searchParams.get("token") ?? "";
  return submit(resetPage, "/reset-password", { token, password });
}

const cases = [
  ["no account", { owner: false, strangers: 0 }],
  ["one account", { owner: true, strangers: 0 }],
  ["one account that is not confirmed", { owner: false, strangers: 1 }],
  ["several accounts", { owner: true, strangers: 2 }],
  ["several accounts that are not confirmed", { owner: false, strangers: 3 }],
] as const;

describe.each(cases)("for an address with %s, one derivation is made", (_, people) => {
  let email: string;
  beforeAll(async () => {
    email = await newAddress(people);
  });

  test("by a sign-in with a wrong password", async () => {
    expect(await derivationsOf(async () => expect(await signIn(email, "neither of them")).toBe(401))).toBe(1);
  });

  test("by a sign-up, and by each of two at the same time", async () => {
    expect(await derivationsOf(async () => expect(await signUp(email.toUpperCase(), "one more")).toBe(303))).toBe(1);
    const fresh = people.owner || people.strangers > 0 ? email : `Two.${email}`;
    const two = () => Promise.all([signUp(fresh, "another password"), signUp(fresh.toLowerCase(), "a third password")]);
    expect(await derivationsOf(async () => expect(await two()).toEqual([303, 303]))).toBe(2);
    expect(await derivationsOf(async () => expect(await signIn(fresh, "a third password")).toBe(303))).toBe(1);
  });
});

test("a new password of one account leaves all accounts of the address with one derivation", async () => {
  const email = await newAddress({ owner: false, strangers: 2 });
  const [one, two] = await db.select().from(users).where(hasAddress(email)).orderBy(users.createdAt);
  expect(await derivationsOf(async () => expect(await reset(email, one?.id ?? "", MINE)).toBe(200))).toBe(1);
  const asSignIn = () => derivationsOf(async () => expect(await signIn(email, "neither of them")).toBe(401));
  expect(await asSignIn()).toBe(1);
  const session = await newSession(two?.id ?? "");
  const change = { current: `${THEIRS} 1`, password: "a password that lasts" };
  expect(await derivationsOf(() => changePassword(session, change, new Headers()))).toBe(2); // the current and the new one
  expect(await asSignIn()).toBe(1);
  expect([await signIn(email, MINE), await signIn(email, "a password that lasts")]).toEqual([303, 303]);
});
