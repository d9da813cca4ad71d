import { eq } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import ApplicationsPage from "@/app/(dashboard)/settings/applications/page";
import { db, grants, refreshTokens } from "@/lib/db";
import { newClient, tokensFor } from "@/lib/oauth/testing";
import { newOwner, sessionCookie } from "@/lib/testing";
import { inRequest } from "@/lib/testing/pages";
import { utc } from "../console/table";
import { plainWords } from "../plain/words";
import { browserName, Sessions } from "./sessions";
import { settingsWords } from "./words";

test("a session is shown with its sign-in, its last use and its address, and other sessions can be ended", () => {
  const [createdAt, lastUsedAt] = ["2031-04-01T08:00:00Z", "2031-04-03T09:30:00Z"];
  const session = { createdAt, lastUsedAt, userAgent: "", address: "192.0.2.7" };
  const sessions = [
    { ...session, id: "here" },
    { ...session, id: "there", createdAt: "2031-03-01T10:00:00Z", lastUsedAt: "2031-03-02T11:30:00Z" },
  ];
  const markup = renderToStaticMarkup(createElement(Sessions, { sessions, currentId: "here" }));
  const [current = "", other = ""] = markup.split("<li").slice(1);
  expect(current).toContain(`Signed in ${utc(createdAt)}, last used ${utc(lastUsedAt)}`);
  expect(current).toContain(settingsWords.sessions.from("192.0.2.7"));
  expect(current).not.toContain('value="here"');
  expect(other).toContain(`Signed in ${utc("2031-03-01T10:00:00Z")}, last used ${utc("2031-03-02T11:30:00Z")}`);
  expect(other).toContain('value="there"');
});

test("a connected application is shown with who registered it, what it may do, and the times of the consent and of its first and last use", async () => {
  const [owner, used, unused] = [await newOwner(), await newClient(), await newClient()];
  const [allowedAt, firstAt, lastAt] = ["2031-04-01T08:00:00Z", "2031-04-02T08:10:00Z", "2031-04-03T09:30:00Z"];
  for (const { clientId } of [used, unused]) {
    await tokensFor(clientId === used.clientId ? used : unused, {}, owner);
    const times = { createdAt: allowedAt, lastUsedAt: lastAt };
    const [grant] = await db.update(grants).set(times).where(eq(grants.clientId, clientId)).returning();
    const ofGrant = eq(refreshTokens.grantId, grant?.id ?? "");
    if (clientId === used.clientId) await db.update(refreshTokens).set({ createdAt: firstAt }).where(ofGrant);
    else await db.delete(refreshTokens).where(ofGrant);
  }
  await db.update(grants).set({ lastUsedAt: null }).where(eq(grants.clientId, unused.clientId));
  const headers = { cookie: await sessionCookie(owner) };
  const answer = await inRequest(headers, () => ApplicationsPage({ searchParams: Promise.resolve({}) }));
  const markup = "shown" in answer ? renderToStaticMarkup(answer.shown) : "";
  const cardOf = ({ clientId }: { clientId: string }) =>
    markup.split("<h2").find((part) => part.includes(clientId)) ?? "";
  const factsOf = (client: { clientId: string }) => {
    const facts = cardOf(client).matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g);
    return Object.fromEntries([...facts].map(([, label = "", value]) => [label, value]));
  };
  const { consent } = plainWords;
  for (const shown of [">Test app<", consent.scopes["posts.read"], consent.scopes["posts.write"]])
    expect(cardOf(used)).toContain(shown);
  const { registeredBy, allowed, firstUse, lastUse, notUsed } = settingsWords.applications;
  expect(factsOf(used)).toMatchObject({ [registeredBy]: consent.operator });
  expect(factsOf(used)).toMatchObject({ [allowed]: utc(allowedAt), [firstUse]: utc(firstAt), [lastUse]: utc(lastAt) });
  expect(factsOf(unused)).toMatchObject({ [allowed]: utc(allowedAt), [firstUse]: notUsed, [lastUse]: notUsed });
});

test.each<[userAgent: string, name: string | undefined]>([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge · Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari · iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "Chrome · macOS",
  ],
  ["curl/8.5.0", undefined],
  ["", undefined],
])("%s is shown as %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
