import { randomUUID } from "node:crypto";
import { asc, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { applications, auditLog, db, media, posts, publications, schedules, users } from "../db";
import { paddedMp4 } from "../networks/linkedin/testing/sandbox";
import { as, connectAccount, newOwner, newPartner, nobody, picture, schedule, uploaded } from "../testing";
import {
  auditActions,
  auditView,
  createPreviewLink,
  isPreviewLinkOpen,
  listPostsToLookAt,
  openPreviewLink,
  scheduleStatuses,
  searchAsStaff,
  searchAudit,
  viewSchedule,
  viewUser,
} from ".";
import { linkTo } from "./preview-link";

const LATER = new Date(Date.now() + 3_600_000);
const DAY_MS = 86_400_000;

let staff: { id: string };
let owner: { id: string; email: string };
let account: { id: number; person: string };
let planned: Awaited<ReturnType<typeof schedule>>;
let permalink: string;

beforeAll(async () => {
  staff = { id: await newOwner("A member of the staff") };
  const id = await newOwner("Ada");
  const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, id));
  owner = { id, email: row?.email ?? "" };
  account = await connectAccount(id, "X_TWITTER");
  const path = await picture(id);
  const post = { content: "For whoever asks", attachmentPaths: [path] };
  const on = { socialMediaAccountId: account.id, platformSettings: { type: "TWITTER" }, posts: [post] };
  planned = await schedule(as(id), [on], LATER);
  permalink = `https://x.com/ada/status/${randomUUID()}`;
  await db.update(posts).set({ permalink }).where(eq(posts.id, postId()));
});

const publicationId = () => planned.publications[0]?.id ?? 0;
const postId = () => planned.publications[0]?.posts[0]?.id ?? 0;

/** The audited actions of this person, oldest first. */
const doneBy = async ({ id }: { id: string }) =>
  (await db.select().from(auditLog).where(eq(auditLog.actorId, id)).orderBy(asc(auditLog.id))).map(
    ({ action, subject, details }) => [action, subject, details],
  );

describe("staff finds", () => {
  test("a user by email in any case, by ID and by account, and audits it", async () => {
    const seeker = { id: await newOwner() };
    for (const [query, how] of [
      [` ${owner.email.toUpperCase()} `, "its email"],
      [owner.id, "its id"],
    ] as const) {
      expect(await searchAsStaff(seeker, query)).toEqual({
        users: [{ id: owner.id, name: "Ada", email: owner.email, matchedBy: how }],
        schedules: [],
      });
    }
    const { users: found } = await searchAsStaff(seeker, String(account.id));
    expect(found).toContainEqual({ id: owner.id, name: "Ada", email: owner.email, matchedBy: `account ${account.id}` });
    const looks = (await doneBy(seeker)).filter(([, subject]) => subject === owner.id);
    expect(looks).toEqual(Array.from({ length: 3 }, () => ["staff.looked", owner.id, { page: "search" }]));
  });

  test("a schedule by its ID, a publication's or post's ID, and a post's address as pasted", async () => {
    const seeker = { id: await newOwner() };
    const found = { id: planned.id, ownerId: owner.id, status: "SCHEDULED" };
    const by = async (query: string | number) => (await searchAsStaff(seeker, String(query))).schedules;
    expect(await by(planned.id)).toContainEqual({ ...found, matchedBy: "its number" });
    expect(await by(publicationId())).toContainEqual({ ...found, matchedBy: `its publication ${publicationId()}` });
    expect(await by(postId())).toContainEqual({ ...found, matchedBy: `its post ${postId()}` });
    for (const form of [permalink, `${permalink}/`, `${permalink}?s=20`]) {
      expect(await by(form)).toEqual([{ ...found, matchedBy: "its address on the network" }]);
    }
    expect((await doneBy(seeker)).at(-1)).toEqual([
      "staff.looked",
      String(planned.id),
      { page: "search", ownerId: owner.id },
    ]);
  });

  test.each([
    ["nothing", ""],
    ["spaces", "   "],
    ["a name", "Ada"],
    ["half an address", "ada@"],
    ["a pattern", "%"],
    ["SQL", "' or 1=1 --"],
    ["an unknown number", "9".repeat(15)],
    ["a page of another site", "https://x.com"],
    ["a character that cannot be stored", "\0"],
    ["a very long text", "a".repeat(3_000)],
  ])("nothing by %s", async (_, query) => {
    const seeker = { id: await newOwner() };
    expect(await searchAsStaff(seeker, query)).toEqual({ users: [], schedules: [] });
    expect(await doneBy(seeker)).toEqual([]);
  });
});

describe("staff views are audited", () => {
  test("a user with accounts and schedules, without secrets", async () => {
    const seeker = { id: await newOwner() };
    const seen = await viewUser(seeker, owner.id);
    expect(seen).toMatchObject({ id: owner.id, email: owner.email, name: "Ada", accounts: [{ id: account.id }] });
    expect(seen.schedules.map(({ id }) => id)).toEqual([planned.id]);
    expect(JSON.stringify(seen)).not.toMatch(/password|sealed|sessionEpoch/i);
    expect(await doneBy(seeker)).toEqual([["staff.looked", owner.id, { page: "user" }]]);
    await expect(viewUser(seeker, randomUUID())).rejects.toThrow("User not found");
    await expect(viewUser(seeker, "me")).rejects.toThrow("User not found");
  });

  test("a user's schedules by status, network, text and day, in pages; an invalid condition finds none", async () => {
    const seeker = { id: await newOwner() };
    const id = await newOwner();
    const [x, linkedin] = [await connectAccount(id, "X_TWITTER"), await connectAccount(id, "LINKEDIN")];
    const write = async (account: { id: number }, type: string, content: string, at: Date) => {
      const on = { socialMediaAccountId: account.id, platformSettings: { type }, posts: [{ content }] };
      return (await schedule(as(id), [on], at)).id;
    };
    const last = new Date("2040-03-10T23:59:59.000Z");
    const bells = await write(x, "TWITTER", "Bells at noon", last);
    const towers = await write(linkedin, "LINKEDIN", "Three towers", new Date("2040-03-11T00:00:00Z"));
    await db.update(schedules).set({ status: "FAILED" }).where(eq(schedules.id, towers));
    const find = async (filter: object) => (await viewUser(seeker, id, filter)).schedules.map((one) => one.id);
    expect(await find({})).toEqual([towers, bells]);
    expect(await find({ status: "", platform: "", text: "", from: "", to: "" })).toEqual([towers, bells]);
    expect(await find({ status: "FAILED" })).toEqual([towers]);
    expect(await find({ platform: "X_TWITTER" })).toEqual([bells]);
    expect(await find({ text: "TOWERS three" })).toEqual([towers]);
    expect(await find({ to: "2040-03-10" })).toEqual([bells]);
    expect(await find({ from: "2040-03-11" })).toEqual([towers]);
    expect(await find({ from: "2040-03-10", to: "2040-03-11", status: "SCHEDULED" })).toEqual([bells]);
    expect(await find({ before: towers })).toEqual([bells]);
    for (const wrong of [{ status: "LATE" }, { platform: "MYSPACE" }, { from: "2040-02-31" }, { to: "soon" }])
      expect(await find(wrong)).toEqual([]);
  });

  test("every status that a schedule has can be chosen", async () => {
    const known = await db.selectDistinct({ status: schedules.status }).from(schedules);
    expect(known.filter(({ status }) => !scheduleStatuses.some((one) => one === status))).toEqual([]);
  });

  test("a user's schedules continue on the next page with the same conditions", async () => {
    const id = await newOwner();
    const x = await connectAccount(id, "X_TWITTER");
    const ids: number[] = [];
    for (let at = 0; at < 21; at++) {
      const on = {
        socialMediaAccountId: x.id,
        platformSettings: { type: "TWITTER" },
        posts: [{ content: `Peal ${at}` }],
      };
      ids.unshift((await schedule(as(id), [on], LATER)).id);
    }
    const filter = { status: "SCHEDULED", text: "peal" };
    const first = await viewUser(staff, id, filter);
    const rest = await viewUser(staff, id, { ...filter, before: first.next });
    expect([...first.schedules, ...rest.schedules].map((one) => one.id)).toEqual(ids);
    expect([first.schedules.length, rest.next]).toEqual([20, undefined]);
  });

  test("a partner's user; the partner sees the view in its own log", async () => {
    const seeker = { id: await newOwner() };
    const partner = await newPartner();
    const created = await partner.post("/v1/connect/users", { externalUserId: "one", name: "Grace" });
    const { uuid } = (await created.json()) as { uuid: string };
    const seen = await viewUser(seeker, uuid);
    expect(seen).toMatchObject({
      externalUserId: "one",
      partner: { clientId: partner.clientId, name: "Test partner" },
    });
    const { items } = await searchAudit({ subject: uuid, limit: 10 });
    expect(items).toMatchObject([{ action: "staff.looked", partner: "Test partner" }]);
  });

  test("a schedule with its owner, preview and receipt", async () => {
    const seeker = { id: await newOwner() };
    const { owner: whose, shown, receipt } = await viewSchedule(seeker, planned.id);
    expect(whose).toEqual({ id: owner.id, name: "Ada", email: owner.email });
    const [publication] = shown.publications;
    expect(publication).toMatchObject({ network: "X", account: account.person });
    const [post] = publication?.posts ?? [];
    expect(post).toMatchObject({ content: "For whoever asks", missing: [], permalink });
    expect(post?.files).toMatchObject([{ isVideo: false, url: expect.stringContaining("/media/") }]);
    expect(post?.requests.at(-1)).toMatchObject({ method: "POST", isFinal: true });
    expect(JSON.stringify(post?.requests)).not.toMatch(/Bearer (?!\*\*\*)/);
    expect(receipt.publications).toMatchObject([{ status: "PENDING", attemptLog: [] }]);
    expect(await doneBy(seeker)).toEqual([
      ["staff.looked", String(planned.id), { page: "schedule", ownerId: owner.id }],
    ]);
    await expect(viewSchedule(seeker, 999_999_999)).rejects.toThrow("Posting schedule not found");
  });
});

describe("a preview link", () => {
  test("shows the schedule without an account until it expires, and its creation is audited", async () => {
    const seeker = { id: await newOwner() };
    const { url, endsAt } = await createPreviewLink(seeker, planned.id, 7);
    expect(Math.abs(endsAt.getTime() - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
    const link = new URL(url).searchParams.get("link") ?? "";
    const opened = await openPreviewLink(link);
    expect(opened).toMatchObject({ endsAt, shown: { id: planned.id, publications: [{ network: "X" }] } });
    expect(await openPreviewLink(link, new Date(endsAt.getTime() - 1))).toHaveProperty("shown");
    expect(await openPreviewLink(link, endsAt)).toEqual({ endsAt });
    expect([await isPreviewLinkOpen(link), await isPreviewLinkOpen(link, endsAt)]).toEqual([true, false]);
    expect(await doneBy(seeker)).toEqual([["staff.shared", String(planned.id), { days: 7, ownerId: owner.id }]]);
  });

  test("opens only what was signed: not another schedule, a later end, another key, or nothing", async () => {
    const [id, end, key, mac] = linkTo(planned.id, LATER).split(".");
    const wrong = [
      `${Number(id) + 1}.${end}.${key}.${mac}`,
      `${id}.${Number(end) + 1}.${key}.${mac}`,
      `0${id}.${end}.${key}.${mac}`,
      `${id}.${end}.00000000.${mac}`,
      `${id}.${end}.${key}.${"A".repeat(43)}`,
      `${id}.${end}.${key}`,
      "",
    ];
    for (const link of wrong) {
      await expect(openPreviewLink(link), link).rejects.toThrow("Preview not found");
      await expect(isPreviewLinkOpen(link), link).rejects.toThrow("Preview not found");
    }
  });

  test("shows files only until it expires, and never longer than any address", async () => {
    const filesOf = async (end: Date) =>
      (await openPreviewLink(linkTo(planned.id, end))).shown?.publications[0]?.posts[0]?.files ?? [];
    const soon = new Date(Math.floor(Date.now() / 1000) * 1000 + 90_000);
    const [file] = await filesOf(soon);
    const addresses = [file?.url, file?.thumbnailUrl].map((url) => new URL(url ?? ""));
    for (const { pathname, search, searchParams } of addresses) {
      expect(Number(searchParams.get("e")) * 1000).toBe(soon.getTime());
      expect((await nobody.get(pathname + search)).status).toBe(200);
    }
    const [later] = await filesOf(new Date(Date.now() + 30 * DAY_MS));
    expect(Number(new URL(later?.url ?? "").searchParams.get("e")) * 1000).toBeLessThan(Date.now() + DAY_MS);
  });

  test("shows a video's cover, or says that it is missing", async () => {
    const on = await connectAccount(owner.id, "LINKEDIN");
    const film = await uploaded(as(owner.id), paddedMp4(100_000), "film.mp4");
    const cover = await picture(owner.id, 500, 700);
    const covered = { content: "Covered", attachmentPaths: [film], thumbnailPath: cover };
    const publication = { socialMediaAccountId: on.id, platformSettings: { type: "LINKEDIN" }, posts: [covered] };
    const made = await schedule(as(owner.id), [publication], LATER);
    const shownPost = async () => (await openPreviewLink(linkTo(made.id, LATER))).shown?.publications[0]?.posts[0];
    const { pathname, search } = new URL((await shownPost())?.cover?.url ?? "");
    expect((await nobody.get(pathname + search)).headers.get("content-type")).toBe("image/jpeg");
    expect(await shownPost()).toMatchObject({ files: [{ isVideo: true }], missing: [] });
    await db.delete(media).where(eq(media.key, cover));
    expect(await shownPost()).toMatchObject({ cover: { name: "A file that is not available yet" }, missing: [cover] });
  });

  test("opens nothing if the schedule is gone or its owner is being deleted", async () => {
    const id = await newOwner();
    const x = await connectAccount(id, "X_TWITTER");
    const on = { socialMediaAccountId: x.id, platformSettings: { type: "TWITTER" }, posts: [{ content: "soon gone" }] };
    const [gone, owned] = [await schedule(as(id), [on], LATER), await schedule(as(id), [on], LATER)];
    await as(id).delete(`/v1/posts/${gone.id}`);
    await expect(openPreviewLink(linkTo(gone.id, LATER))).rejects.toThrow("not found");
    await expect(isPreviewLinkOpen(linkTo(gone.id, LATER))).rejects.toThrow("not found");
    expect(await openPreviewLink(linkTo(owned.id, LATER))).toHaveProperty("shown");
    await db.update(users).set({ deletingAt: new Date().toISOString() }).where(eq(users.id, id));
    await expect(openPreviewLink(linkTo(owned.id, LATER))).rejects.toThrow("not found");
  });

  test("opens nothing while its owner or their partner is suspended, although staff still sees the schedule", async () => {
    const partner = await newPartner();
    const { uuid } = (await (
      await partner.post("/v1/connect/users", { externalUserId: "one", name: "Bob" })
    ).json()) as {
      uuid: string;
    };
    const { id: accountId } = await connectAccount(uuid, "X_TWITTER");
    const on = { socialMediaAccountId: accountId, platformSettings: { type: "TWITTER" }, posts: [{ content: "Held" }] };
    const { id } = await schedule(as(uuid), [on], LATER);
    const link = linkTo(id, LATER);
    const setUser = (suspendedAt: string | null) => db.update(users).set({ suspendedAt }).where(eq(users.id, uuid));
    const setPartner = (suspendedAt: string | null) =>
      db.update(applications).set({ suspendedAt }).where(eq(applications.clientId, partner.clientId));
    for (const set of [setUser, setPartner]) {
      await set(new Date().toISOString());
      await expect(openPreviewLink(link)).rejects.toThrow("Preview not found");
      await expect(isPreviewLinkOpen(link)).rejects.toThrow("Preview not found");
      expect(await viewSchedule(staff, id)).toMatchObject({ shown: { id } });
      await set(null);
      expect(await openPreviewLink(link)).toHaveProperty("shown");
    }
  });
});

test("lists posts whose outcome is unknown, the newest first, until their owner leaves them", async () => {
  const on = { socialMediaAccountId: account.id, platformSettings: { type: "TWITTER" }, posts: [{ content: "Maybe" }] };
  const { id } = await schedule(as(owner.id), [on], LATER);
  const { scheduleId } = publications;
  const listed = async () => (await listPostsToLookAt(1_000)).find((one) => one.id === id);
  expect(await listed()).toBeUndefined();
  await db.update(publications).set({ status: "UNKNOWN", dueAt: null }).where(eq(scheduleId, id));
  expect(await listed()).toEqual({ id, platform: "X_TWITTER", scheduledTime: expect.any(String), isLookedUp: false });
  await db.update(publications).set({ leftAt: new Date().toISOString() }).where(eq(scheduleId, id));
  expect(await listed()).toBeUndefined();
});

describe("audit log search", () => {
  test("combines actor, subject, action and time, newest first, in pages", async () => {
    const id = await newOwner();
    const [row] = await db.select({ email: users.email }).from(users).where(eq(users.id, id));
    const actor = row?.email ?? "";
    for (const subject of ["a", "b", "c"])
      await auditView({ id }, { subject: `${id}-${subject}`, details: { page: "user" } });
    const search = async (input: object) =>
      (await searchAudit({ limit: 10, ...input })).items.map(({ subject }) => subject.slice(-1));
    for (const who of [actor, actor.toUpperCase(), id]) expect(await search({ actor: who })).toEqual(["c", "b", "a"]);
    expect(await search({ actor, subject: `${id}-b` })).toEqual(["b"]);
    expect(await search({ actor, action: "staff.looked" })).toEqual(["c", "b", "a"]);
    expect(await search({ actor, action: "user.deleted" })).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    expect(await search({ actor, from: yesterday, to: today })).toEqual(["c", "b", "a"]);
    expect(await search({ actor, to: yesterday })).toEqual([]);
    const first = await searchAudit({ actor, limit: 2 });
    expect(first.items.map((line) => [line.subject.slice(-1), line.actor])).toEqual([
      ["c", actor],
      ["b", actor],
    ]);
    expect(await search({ actor, before: first.next })).toEqual(["a"]);
    expect((await searchAudit({ actor: "operator", limit: 1 })).items[0]?.actor).toBeUndefined();
  });

  test.each([
    { from: "2026-02-31" },
    { from: "0000-01-01" },
    { to: "0000-12-31" },
    { to: "soon" },
    { action: "everything" },
    { actor: "nobody@example.com" },
  ])("%j finds nothing", async (input) => {
    await auditView(staff, { subject: "x", details: { page: "user" } });
    expect(await searchAudit({ ...input, limit: 10 })).toEqual({ items: [], next: undefined });
  });

  test("finds a rare action without reading the whole log", async () => {
    const plan = await db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`); // in a small table, reading all rows is cheaper
      const { rows } = await tx.execute<{ [line: string]: string }>(sql`
        explain select * from audit_log where action = 'keys.resealed' and id < 1000000 order by id desc limit 51`);
      return rows.map((row) => row["QUERY PLAN"]).join();
    });
    expect(plan).toContain("audit_log_of_action");
    expect(plan).not.toContain("Filter");
  });

  test("finds every action", async () => {
    const known = await db.selectDistinct({ action: auditLog.action }).from(auditLog);
    expect(known.filter(({ action }) => !auditActions.some((one) => one === action))).toEqual([]);
  });
});
