import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { platforms } from "../platforms";
import { allNetworks, type FormatName, type Network } from ".";
import { requestedScopes } from "./connect";

// The pages in docs/networks agree with the definitions of the networks.

const everyNetwork = allNetworks().map((network) => [network.name, network] as const);
const read = (name: string) => readFile(new URL(`../../docs/networks/${name}.md`, import.meta.url), "utf8");

/** The settings that the rows below name. `offers` adds them. */
const NAMED: string[] = [];

const hasCoverTime = offers("videoCoverTimestampMs");
const hasVideo = hasFormat("video");
const hasLink = offers("link", "linkAttachment");

/** By row of the table: returns whether a network offers its format, or one of its settings. */
const ROWS: { [row: string]: (network: Network) => boolean } = {
  Text: hasFormat("text"),
  Image: hasFormat("image"),
  "Several images": hasFormat("carousel"),
  Animation: hasFormat("image", "video"), // shown as a video where GIFs stand still
  Video: (network) => network.platform !== "INSTAGRAM" && hasVideo(network), // it publishes each one as a reel
  Reel: ({ variants }) => variants?.formats.REELS !== undefined,
  Story: ({ variants }) => variants?.formats.STORY !== undefined,
  "Several posts": ({ posts }) => posts !== undefined,
  "PDF document": hasFormat("document"),
  "Cover of a video": (network) => hasCoverTime(network) || network.formats.video?.limits.cover !== undefined,
  "Alternative texts": ({ platform, formats }) =>
    platform === "FACEBOOK" || formats.image?.limits.image?.altText !== undefined,
  "First comment": ({ comment }) => comment !== undefined,
  Poll: offers("pollOptions", "pollMinutes"),
  Quote: offers("quote"),
  "Who can reply": offers("whoCanReply"),
  "Who can see it": offers("privacyStatus", "privacyLevel", "visibility"),
  "Company page": ({ destinations }) => destinations?.own === true,
  "People, place": offers("collaborators", "userTags", "locationId", "placeId"),
  // LinkedIn and Bluesky make the card of the first link in the text.
  "Link or link card": (network) => ["LINKEDIN", "BLUE_SKY"].includes(network.platform) || hasLink(network),
  "Button of a link": offers("callToAction"),
  "Tags, topic": offers("tags", "topicTag", "category"),
  "Playlist, captions": offers("playlistId", "captions", "captionsLanguage"),
  "Made with AI": offers("aiContent", "containsSyntheticMedia"),
  "Made for kids": offers("madeForKids", "notifySubscribers"),
  "Duets, advertising": offers(
    "disableDuet",
    "disableStitch",
    "disableComments",
    "brandContent",
    "brandOrganic",
    "autoAddMusic",
  ),
  "Creator's drafts": offers("sendToDrafts"),
  "Silent, formatted": offers("disableNotification", "protectContent", "disableLinkPreview", "parseMode"),
  "Languages, labels": offers("languages", "labels"),
  "Board section, colour": offers("boardSectionId", "dominantColor"),
};

/** Settings that no row names, because they belong to a format, or only confirm something. */
const ELSEWHERE = [
  "title",
  "documentTitle",
  "publicationType",
  "firstComment",
  "altText",
  "photoCoverIndex",
  "hasUsageConfirmation",
];

const settingsOf = ({ settings }: Network) => Object.keys(z.toJSONSchema(settings, { io: "input" }).properties ?? {});
function offers(...names: string[]) {
  NAMED.push(...names);
  return (network: Network) => settingsOf(network).some((name) => names.includes(name));
}

function hasFormat(...names: FormatName[]) {
  return ({ formats }: Network) => names.some((name) => formats[name] !== undefined);
}

test("the table of formats shows what each network offers", async () => {
  const lines = (await read("README")).split("\n").filter((line) => line.startsWith("|"));
  const cells = (line = "") =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [, ...names] = cells(lines[0]);
  expect(names).toEqual(allNetworks().map(({ name }) => name));
  const rows = lines.slice(2, 2 + Object.keys(ROWS).length).map(cells);
  const shown = rows.map(([row, ...proofs]) => [row, names.filter((_, index) => proofs[index] !== "–")]);
  expect(shown).toEqual(
    Object.entries(ROWS).map(([row, isOffered]) => [
      row,
      allNetworks()
        .filter(isOffered)
        .map(({ name }) => name),
    ]),
  );
  expect(
    rows.flatMap(([, ...proofs]) => proofs).filter((proof) => !/^(–|[EDCSRKN]( [EDCSRKN])*)$/.test(proof)),
  ).toEqual([]);
});

test.each(everyNetwork)("%s: every setting is in a row of the table", (_, network) => {
  const named = [...NAMED, ...ELSEWHERE];
  expect(settingsOf(network).filter((name) => !named.includes(name))).toEqual([]);
});

test.each(everyNetwork)("%s: its page says what a reviewer asks for", async (_, network) => {
  const page = await read(platforms[network.platform]);
  const [, section = ""] = page.split("## What the reviewer asks for\n");
  const [asked = ""] = section.split("\n## ");
  for (const part of ["**Reasons", "**Screencast", "**Addresses", "delet"]) expect(asked).toContain(part);
  expect(asked).toMatch(/^- \*\*(Before|With Trial access)/m);
  if (network.connect.kind === "bot" || network.platform === "BLUE_SKY") return; // Bluesky has no review
  const reasons = asked.split("\n").find((line) => line.startsWith("- **Reasons"));
  for (const scope of requestedScopes(network.connect)) expect(reasons).toContain(`\`${scope.split("/").at(-1)}\``);
  for (const { setting } of network.connect.switchedScopes ?? []) expect(page).toContain(setting);
});
