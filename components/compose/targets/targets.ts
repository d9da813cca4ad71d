import type { Limits, TextLimit } from "@/lib/networks/limits";
import { textLength } from "@/lib/networks/text/count";
import { shownText } from "@/lib/networks/text/rich-text";
import type { Account, AccountOptions, Chat } from "../../api/types";
import { formatOf, formatsFor } from "../../networks/formats";
import type { NetworkFacts } from "../../networks/types";
import { type Draft, keyOf, type Part } from "../draft/draft";
import type { OptionsResult } from "../draft/queries";
import { joined } from "../parts/parts";
import type { Upload } from "../uploads/use-uploads";

/** Where the words of a file are written. */
export const altTextId = (fileId: string) => `alt-${fileId}`;

/** The tightest limit that the chosen accounts have for a file's words; a Pin with words of its own is not sent the file's. */
export function altTextLimitOf({ id, kind }: Pick<Upload, "id" | "kind">, targets: Target[]): TextLimit | undefined {
  const limits = targets.flatMap(({ posts, settings }) =>
    settings.altText ? [] : posts.filter(({ files }) => files.some((file) => file.id === id)),
  );
  return limits
    .flatMap((post) => post.limits?.[kind]?.altText ?? [])
    .reduce<TextLimit | undefined>((least, one) => (least && least.max <= one.max ? least : one), undefined);
}

export type Count = { used: number; max: number; unit: TextLimit["unit"] };

export type TargetPost = {
  text: string;
  files: Upload[];
  count?: Count;
  limits?: Limits;
  /** The network takes no text with these files. */
  dropsText: boolean;
};

/** What one account will be sent. The previews, the counters and the request all read this. */
export type Target = {
  key: string;
  account: Account;
  network: NetworkFacts;
  posts: TargetPost[];
  isOwnText: boolean;
  /** The network takes one post, so the parts of a thread are one text here. */
  isJoined: boolean;
  settings: { [setting: string]: string | boolean };
  /** Where this network has destinations; undefined while they are being read. */
  chats?: Chat[];
  chatId?: string;
  /** Where the network leaves choices to each account; undefined while it is being asked. */
  options?: AccountOptions;
  asked?: OptionsResult;
};

type Given = {
  draft: Draft;
  files: Upload[];
  accounts: Account[];
  networks: NetworkFacts[];
  chats: { [accountKey: string]: Chat[] | undefined };
  asked: { [accountKey: string]: OptionsResult | undefined };
};

export function targetsOf({ draft, files, accounts, networks, chats, asked }: Given): Target[] {
  return accounts.flatMap((account) => {
    const network = networks.find(({ platform }) => platform === account.platform);
    if (!network || !draft.accountIds.includes(String(account.id))) return [];
    const key = keyOf(account.id);
    return targetOf({ draft, files, account, network, chats: chats[key], asked: asked[key] });
  });
}

type One = Pick<Given, "draft" | "files"> & {
  account: Account;
  network: NetworkFacts;
  chats?: Chat[];
  asked?: OptionsResult;
};

function targetOf({ draft, files, account, network, chats, asked }: One): Target {
  const key = keyOf(account.id);
  const own = draft.own[key];
  const settings = settingsFor(network, draft.settings[key]);
  const without = draft.without[key] ?? [];
  const sent = files.filter(({ path }) => !path || !without.includes(path));
  const isJoined = !network.posts && (own ?? draft.parts).length > 1;
  const plain = isJoined
    ? [{ text: joined((own ?? draft.parts).map(({ text }) => text)), files: draft.parts.flatMap(filesIn(draft, sent)) }]
    : postsOf(draft, own, sent);
  return {
    key,
    account,
    network,
    posts: plain.map((post) => withLimits(network, settings, post)),
    isOwnText: own !== undefined,
    isJoined,
    settings,
    chats,
    chatId: draft.chats[key] || (chats?.length === 1 ? chats[0]?.id : undefined),
    options: asked?.options,
    asked,
  };
}

type PlainPost = Pick<TargetPost, "text" | "files">;

/** Each part with its files; where an account has fewer parts of its own, the last takes the files of those it lacks. */
function postsOf(draft: Draft, own: Part[] | undefined, sent: Upload[]): PlainPost[] {
  const posts = (own ?? draft.parts).map(({ text }): PlainPost => ({ text, files: [] }));
  for (const [index, part] of draft.parts.entries()) {
    posts[Math.min(index, posts.length - 1)]?.files.push(...filesIn(draft, sent)(part));
  }
  return posts;
}

/** The files of a part; those of a part that is gone are the first one's. */
export function filesIn({ parts }: Pick<Draft, "parts">, files: Upload[]) {
  const isKnown = (id: string | undefined) => parts.some((part) => part.id === id);
  return (part: Part): Upload[] => files.filter(({ partId }) => (isKnown(partId) ? partId : parts[0]?.id) === part.id);
}

function withLimits(network: NetworkFacts, settings: Target["settings"], { text, files }: PlainPost): TargetPost {
  const limits = formatsFor(network, settings)[formatOf(files)];
  return {
    text,
    files,
    limits,
    count: limits?.text && countOf(limits.text, text),
    dropsText: limits !== undefined && !limits.text && text.trim() !== "",
  };
}

/** What TikTok wants off until a person switches it on; the consent is the sentence above the button (its guidelines). */
const tiktokPresets: { [setting: string]: boolean } = {
  disableComments: true,
  disableDuet: true,
  disableStitch: true,
  hasUsageConfirmation: true,
};

/** What was chosen, else what the network's schema presets; empty fields are left out. */
function settingsFor(network: NetworkFacts, chosen: Draft["settings"][string] = {}): Target["settings"] {
  const presets = network.platform === "TIKTOK" ? tiktokPresets : {};
  const entries = network.settings.map(({ name, preset }) => [name, chosen[name] ?? presets[name] ?? preset] as const);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])),
  );
}

/** By the network's unit, of the text as it shows it; in bytes where it is they that are too many. */
export function countOf(limit: TextLimit, written: string): Count {
  const { unit, max, bytes } = limit;
  const text = shownText(limit, written);
  const used = textLength(unit, text);
  const width = textLength("bytes", text);
  return bytes !== undefined && used <= max && width > bytes
    ? { used: width, max: bytes, unit: "bytes" }
    : { used, max, unit };
}

/** Whether a network takes a text of this length. */
export function fits(limit: TextLimit, text: string): boolean {
  const { used, max } = countOf(limit, text);
  return used <= max;
}

/** The video whose cover a post's network takes; undefined where it takes none, or one of the attachments. */
export function coveredVideo({ files, limits }: Pick<TargetPost, "files" | "limits">): Upload | undefined {
  if (!limits?.cover || limits.coverIsAttached) return undefined;
  return files.find(({ kind }) => kind === "video");
}

/** What becomes of a video's cover: the networks that take it, and those that choose one by themselves. */
export function coverNetworks({ id }: Pick<Upload, "id">, targets: Target[]): { take: string[]; choose: string[] } {
  const sent = targets.filter(({ posts }) => posts.some(({ files }) => files.some((file) => file.id === id)));
  const takes = ({ posts }: Target) => posts.some((post) => coveredVideo(post)?.id === id);
  const named = (some: Target[]) => [...new Set(some.map(({ network }) => network.name))];
  return { take: named(sent.filter(takes)), choose: named(sent.filter((target) => !takes(target))) };
}
