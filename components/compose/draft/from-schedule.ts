import type { ApiAccount, ApiPublication, ApiSchedule } from "../../api/types";
import { kindOf, stillOf } from "../../networks/formats";
import type { NetworkFacts } from "../../networks/types";
import { toLocalField } from "../../time/format";
import { joined, partsWith } from "../parts/parts";
import { fieldValue, targetsOf } from "../targets/targets";
import { storedUpload } from "../uploads/use-uploads";
import { uploadWords } from "../uploads/words";
import { type Attachment, type Draft, emptyDraft, keyOf } from "./draft";
import { comparablePublications, publicationsOf } from "./submission";

type Known = {
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  /** Known files; an unknown file is shown by its key. */
  files: { path: string; filename: string; contentType: string; url: string }[];
};

export type LoadedDraft = { draft: Draft; media: Attachment[] };

/**
 * Converts a schedule to a draft. Returns undefined if sending the draft would change the schedule, for example one
 * made elsewhere with several covers for one video or two posts for one account, so that nothing is lost silently.
 */
export function draftFromSchedule(schedule: ApiSchedule, known: Known): LoadedDraft | undefined {
  const { publications, scheduledTime } = schedule;
  const common = publications.toSorted((a, b) => b.posts.length - a.posts.length)[0];
  if (!common) return undefined;
  const parts = partsWith(textsOf(common));
  const media = mediaOf(publications, common, known);
  const draft: Draft = {
    ...emptyDraft,
    parts,
    accountIds: publications.map(({ socialMediaAccountId: id }) => String(id)),
    ...(scheduledTime && { when: "later", at: toLocalField(new Date(scheduledTime)) }),
  };
  const records: Draft = { ...draft, own: {}, without: {}, settings: {}, chats: {} };
  for (const publication of publications) {
    const key = keyOf(publication.socialMediaAccountId);
    const { type: _, ...settings } = publication.platformSettings;
    const { platform } = known.accounts.find(({ id }) => id === publication.socialMediaAccountId) ?? {};
    const fields = known.networks.find((network) => network.platform === platform)?.settings;
    const fieldOf = (name: string) => fields?.find((field) => field.name === name);
    const sentFiles = publication.posts.flatMap(({ attachmentPaths = [] }) => attachmentPaths);
    records.settings[key] = Object.fromEntries([
      // A list that it does not have is empty, whatever a new post would start with.
      ...(fields ?? []).flatMap(({ name, kind }) => (kind === "list" ? [[name, ""]] : [])),
      ...Object.entries(settings).map(([name, value]) => [name, fieldValue(value, fieldOf(name), sentFiles)]),
    ]);
    records.chats[key] = publication.posts[0]?.chatId;
    const sent = new Set(sentFiles);
    const without = media.flatMap(({ path }) => (sent.has(path) ? [] : [path]));
    if (without.length > 0) records.without[key] = without;
    if (!isCommon(publication, textsOf(common))) records.own[key] = partsWith(textsOf(publication));
  }
  return isSame(records, media, publications, known) ? { draft: records, media } : undefined;
}

function textsOf({ posts }: ApiPublication): string[] {
  return posts.map(({ content = "" }) => content);
}

function isCommon(publication: ApiPublication, texts: string[]): boolean {
  const own = textsOf(publication);
  const isWhole = own.length === texts.length && own.every((text, index) => text === texts[index]);
  return isWhole || (own.length === 1 && own[0] === joined(texts));
}

/** Lists every file once with its part, in the order of the parts. */
function mediaOf(publications: ApiPublication[], common: ApiPublication, { files }: Known): Attachment[] {
  const found = new Map<string, Attachment>();
  for (const { posts } of [common, ...publications]) {
    for (const [index, { attachmentPaths = [], thumbnail }] of posts.entries()) {
      for (const path of attachmentPaths) {
        const file = found.get(path) ?? attachmentOf(path, `p${index + 1}`, files);
        const isCovered = thumbnail && file.kind === "video" && !file.cover;
        found.set(path, isCovered ? { ...file, cover: pictureOf(thumbnail, files) } : file);
      }
    }
  }
  return [...found.values()];
}

function attachmentOf(path: string, partId: string, files: Known["files"]): Attachment {
  const file = files.find((one) => one.path === path);
  const kind = kindOf(path, file);
  const name = file?.filename ?? path.split("/").at(-1) ?? path;
  return { path, partId, name, kind, ...(file && kind !== "document" && { thumb: stillOf(file.url, kind) }) };
}

function pictureOf(path: string, files: Known["files"]): NonNullable<Attachment["cover"]> {
  const file = files.find((one) => one.path === path);
  return { path, name: file?.filename ?? uploadWords.sending.cover, ...(file && { thumb: file.url }) };
}

/** Whether the draft would produce the same publications. */
function isSame(
  draft: Draft,
  media: Attachment[],
  publications: ApiPublication[],
  { accounts, networks }: Known,
): boolean {
  const files = media.map(storedUpload);
  const targets = targetsOf({ draft, files, accounts, networks, chats: {}, asked: {} });
  const again = publicationsOf(targets, ({ path }) => path);
  return JSON.stringify(comparablePublications(again)) === JSON.stringify(comparablePublications(publications));
}
