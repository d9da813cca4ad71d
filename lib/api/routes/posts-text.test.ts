import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../../db";
import { as, type Client, connectAccount, newOwner, readResponse } from "../../testing";

const TIME = "2031-05-01T12:00:00Z";

let x: number;
let youtube: number;
let caller: Client;

beforeAll(async () => {
  const owner = await newOwner();
  caller = as(owner);
  x = (await connectAccount(owner, "X_TWITTER")).id;
  youtube = (await connectAccount(owner, "YOUTUBE")).id;
});

const onX = (...texts: string[]) => ({
  socialMediaAccountId: x,
  platformSettings: { type: "TWITTER" },
  posts: texts.map((content) => ({ content })),
});

/** Drafts accept any text of any length. */
async function create(body: object): Promise<number> {
  const [status, made] = await readResponse(caller.post("/v1/posts", { scheduledTime: TIME, isDraft: true, ...body }));
  expect(status).toBe(201);
  return (made as { id: number }).id;
}
const say = (...texts: string[]) => create({ publications: [onX(...texts)] });

type Page = { items: { id: number }[]; nextCursor: string | null };

async function pageOf(text: string, more: { [name: string]: string } = {}, by = caller): Promise<Page> {
  const [status, page] = await readResponse(
    by.get(`/v1/posts?${new URLSearchParams({ limit: "100", text, ...more })}`),
  );
  expect(status).toBe(200);
  return page as Page;
}
const found = async (text: string, more = {}, by = caller) => (await pageOf(text, more, by)).items.map(({ id }) => id);

describe("a text search finds", () => {
  test.each([
    ["in any case", "The Noon BELL", "tHE nOOn bell"],
    ["in another alphabet, in any case", "Большой КОЛОКОЛ", "большой колокол"],
    ["without its accents", "Les théâtres d’été", "theatres ETE"],
    ["with accents that the text does not have", "Cafe Zurich", "café zürich"],
    ["whose accents are separate characters", "re\u0301sume\u0301", "résumé"],
    ["by a part of a word", "Glockenturm", "kentur"],
    ["by words in any order", "one two three", "three one"],
    ["by words with much white space between and around them", "one two", " \t one \u00a0 two\n"],
    ["by ligatures and wide letters", "The ﬁrst ＢＥＬＬ", "first bell"],
    ["by signs and pictures", "I ❤️ bells 🎉", "❤ 🎉"],
    ["by Hangul and kana", "오늘의 종, カフェ", "종 カフェ"],
    ["by a literal percent sign", "Now 50% off", "50%"],
    ["by a literal underscore", "call a_b now", "A_B"],
    ["by a literal backslash", "C:\\bells", "c:\\bell"],
    ["by characters with a meaning in regular expressions", "why (x|y)*+? [a-z]{2} ^.$", "(x|y)*+? [a-z]{2} ^.$"],
    ["by an apostrophe and a backslash", "l'été \\'x", "l'ete \\'"],
    ["by one letter", "Ж", "ж"],
    ["by two letters", "Ёлка", "лк"],
    ["by a Turkish letter without its dot", "TATLI", "tatlı"],
    ["by a word in a very long text", `${"long ".repeat(5_000)} enough`, "enough long"],
    ["by options of regular expressions", "***:bell (?i)", "***:bell (?i)"],
    ["by many words", "a b c d e f g h i j k l m n o p q r s t u v w x y z", "z a b c d e f g h i j k l m n o p q r s"],
  ])("%s", async (_, content, text) => {
    const id = await say(content);
    expect(await found(text)).toContain(id);
  });

  test.each([
    ["one word of several", "The noon bell", "noon belle"],
    ["% as a wildcard of LIKE", "Now 50 of them", "50%"],
    ["_ as a wildcard of LIKE", "call axb now", "a_b"],
    [". as a wildcard of regular expressions", "call axb now", "a.b"],
    ["other letters that look alike", "Bell", "Веll"],
    ["a word that spans two parts", "noon", "noonday"],
  ])("but not with %s", async (_, content, text) => {
    const id = await say(content, "day");
    expect(await found(text)).not.toContain(id);
  });
});

test("each word in any text of any publication: parts, bodies and titles, but not other settings", async () => {
  const parts = await say("The quincaillerie opens", "at seven");
  const title = { socialMediaAccountId: youtube, platformSettings: { type: "YOUTUBE", title: "Quincaillerie" } };
  const two = await create({ publications: [onX("opens at"), { ...title, posts: [{ content: "seven" }] }] });
  const flat = await create({ platform: "X_TWITTER", accountId: x, content: "Seven quincailleries" });
  expect(await found("quincaillerie")).toEqual([flat, two, parts]);
  expect(await found("quincaillerie opens seven")).toEqual([two, parts]);
  expect(await found("seven quincailleries")).toEqual([flat]);
  expect(await found("quincaillerie youtube")).toEqual([]);
  expect(await found("quincaillerie public")).toEqual([]);
});

test("schedules that were stored by a release that did not store the owner of a post", async () => {
  const id = await say("A forgotten glockenspiel");
  await db.execute(sql`update posts set owner_id = null where content = 'A forgotten glockenspiel'`);
  expect(await found("glockenspiel")).toEqual([id]);
  expect(await found("glockenspiel", {}, as(await newOwner()))).toEqual([]);
});

test("only the owner's own schedules", async () => {
  const id = await say("A secret carillonneur");
  expect(await found("carillonneur")).toEqual([id]);
  expect(await found("carillonneur", {}, as(await newOwner()))).toEqual([]);
});

test("with other filters and page by page; a cursor works with any filter", async () => {
  const ids: number[] = [];
  for (let at = 0; at < 5; at++) ids.unshift(await say(`Tintinnabulum ${at}`), await say(`Bourdon ${at}`));
  const [bourdons, tintinnabula] = [ids.filter((_, at) => at % 2 === 1), ids.filter((_, at) => at % 2 === 0)];
  const [newest, ...older] = tintinnabula;
  await db.execute(sql`update schedules set status = 'FAILED' where id = ${newest}`);
  expect(await found("tintinnabulum", { status: "FAILED" })).toEqual([newest]);
  expect(await found("tintinnabulum", { status: "DRAFT", platform: "X_TWITTER", accountId: String(x) })).toEqual(older);
  expect(await found("tintinnabulum", { platform: "TELEGRAM" })).toEqual([]);
  expect(await found("tintinnabulum", { from: "2031-05-01T12:00:01Z" })).toEqual([]);

  const first = await pageOf("tintinnabulum", { limit: "2" });
  const next = { limit: "2", cursor: first.nextCursor ?? "" };
  const second = await pageOf("tintinnabulum", next);
  const last = await pageOf("tintinnabulum", { limit: "2", cursor: second.nextCursor ?? "" });
  expect([first, second, last].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(tintinnabula);
  expect(last.nextCursor).toBeNull();
  expect(await found("bourdon", next)).toEqual(bourdons.filter((id) => id < (tintinnabula[1] ?? 0)).slice(0, 2));
});

test("everything if there are no words", async () => {
  const id = await say("Anything");
  expect(await found("\u0301")).toContain(id);
});

test("schedules for the CSV export too", async () => {
  await say("An angelus");
  const file = await (await caller.get("/v1/posts/export?text=ANGELUS")).text();
  expect(file.trim().split("\r\n").slice(1)).toEqual([expect.stringContaining('"An angelus"')]);
});

describe("400", () => {
  test.each([
    ["text=", "text must have at least 1 character"],
    ["text=%20%0A", "text must have at least 1 character that is not white space"],
    [`text=${"a".repeat(201)}`, "text must have at most 200 characters"],
    [`text=${Array.from({ length: 21 }, (_, n) => n).join("+")}`, "text must have at most 20 words"],
    ["text=a%00", "text contains a character that is not valid text"],
    ["text=a&text=b", "text is given twice"],
  ])("for ?%s", async (query, says) => {
    expect(await readResponse(caller.get(`/v1/posts?${query}`))).toEqual([400, { error: says }]);
  });

  test("not for 200 characters surrounded by white space", async () => {
    expect(await found(` ${"q".repeat(200)} `)).toEqual([]);
  });
});
