import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import * as lockedPage from "@/app/(dashboard)/staff/second-factor/route";
import * as sharePage from "@/app/(dashboard)/staff/share/route";
import { db, users } from "../../db";
import { env } from "../../env";
import { newOwner, sessionCookie } from "../../testing";
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
