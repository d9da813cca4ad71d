import { readdirSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import * as lockedPage from "@/app/(dashboard)/staff/second-factor/route";
import * as sharePage from "@/app/(dashboard)/staff/share/route";
import { db, users } from "../../db";
import { env } from "../../env";
import { as, connectAccount, newOwner, newPartner, schedule, sessionCookie } from "../../testing";
import { inRequest } from "../../testing/pages";
import { codeAt } from "../testing/authenticator-app";
import { newSession } from "../testing/sessions";
import { addAuthenticator, beginAuthenticator } from "./authenticator";
import { lacksStaffFactor } from "./changes";

afterEach(() => void Object.assign(env, { needsStaffFactor: false }));

test("staff without the required second factor are sent to a page that explains it; with one they go on", async () => {
  const id = await newOwner();
  await db.update(users).set({ role: "staff" }).where(eq(users.id, id));
  const session = await newSession(id);
  const headers = { cookie: await sessionCookie(id), origin: new URL(env.appUrl).origin };
  const share = async () => {
    const body = new URLSearchParams({ schedule: "999999999999", days: "1" });
    const answer = await sharePage.POST(new Request(`${env.appUrl}/staff/share`, { method: "POST", headers, body }));
    return [answer.status, answer.headers.get("location")];
  };
  expect(await share()).toEqual([404, null]); // the setting is off, and there is no such schedule
  Object.assign(env, { needsStaffFactor: true });
  expect(await share()).toEqual([303, `${env.appUrl}/staff/second-factor`]);
  const page = lockedPage.GET();
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('href="/settings"')]);
  expect(await lacksStaffFactor({ id, role: "user" })).toBe(false);

  const { secret, ticket } = await beginAuthenticator(session.user);
  await addAuthenticator(session, ticket, await codeAt(secret, Date.now()));
  expect(await lacksStaffFactor({ id, role: "staff" })).toBe(false);
});

/** Every page and route of staff and of the console, where staff may see and change every partner. */
const entryPoints = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)(staff|console)\//.test(file) && /\/(page\.tsx|route\.tsx?)$/.test(file))
  .toSorted();

describe("without the second factor that the operator requires", () => {
  const origin = new URL(env.appUrl).origin;
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
  const world = { staff: "", cookie: "", clientId: "", userId: "", scheduleId: 0 };

  beforeAll(async () => {
    world.staff = await newOwner();
    await db.update(users).set({ role: "staff" }).where(eq(users.id, world.staff));
    world.cookie = await sessionCookie(world.staff);
    world.clientId = (await newPartner()).clientId;
    world.userId = await newOwner();
    const { id: socialMediaAccountId } = await connectAccount(world.userId, "X_TWITTER");
    const on = { socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts: [{ content: "One" }] };
    world.scheduleId = (await schedule(as(world.userId), [on], new Date("2090-01-01T00:00:00Z"))).id;
  });

  /** What a page or a route answers to this cookie: where a redirect leads to, or else the page. */
  async function answersOf(file: string, cookie?: string): Promise<{ [method: string]: unknown }> {
    const values = { client: world.clientId, uuid: world.userId, id: String(world.scheduleId), action: "retire" };
    const context = { params: Promise.resolve(values), searchParams: Promise.resolve({}) };
    const given = { origin, ...(cookie ? { cookie } : {}) };
    const handlers = await import(`@/app/${file}`);
    if (file.endsWith("page.tsx")) {
      const answer = await inRequest(given, () => handlers.default(context));
      return { GET: "shown" in answer ? { isShown: true } : answer };
    }
    const path = file.replace(/\(\w+\)\//, "").replace(/\/route\.tsx?$/, "");
    const answers: { [method: string]: unknown } = {};
    for (const method of methods.filter((one) => one in handlers)) {
      const fields = new URLSearchParams({ schedule: String(world.scheduleId), days: "1", name: "New" });
      const init = { method, headers: given, ...(method === "GET" ? {} : { body: fields }) };
      const request = new Request(`${env.appUrl}/${path}`, init);
      const answer: Response = await handlers[method](request, context);
      const to = answer.headers.get("location")?.replace(env.appUrl, "");
      answers[method] = to ? { to } : { status: answer.status, text: await answer.text() };
    }
    return answers;
  }

  test.each(entryPoints)("%s shows and changes nothing", async (file) => {
    const strangers = await answersOf(file);
    Object.assign(env, { needsStaffFactor: true });
    const locked = await answersOf(file, world.cookie);
    for (const [method, answer] of Object.entries(locked)) {
      expect([{ to: "/staff/second-factor" }, strangers[method]], method).toContainEqual(answer);
    }
    Object.assign(env, { needsStaffFactor: false });
    if (file.includes("second-factor")) return; // explains, to everyone
    expect(await answersOf(file, world.cookie), "what staff sees otherwise").not.toEqual(locked);
  });

  test("are all of them tried", () => {
    expect(entryPoints.filter((file) => file.includes("staff/")).length).toBeGreaterThan(5);
    expect(entryPoints.filter((file) => file.includes("console/")).length).toBeGreaterThan(14);
  });
});
