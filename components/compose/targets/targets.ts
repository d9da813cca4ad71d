import type { Limits, TextLimit } from "@/lib/networks/limits";
import { limitsFor, textLength } from "@/lib/networks/text/count";
import { shownText } from "@/lib/networks/text/rich-text";
import type { ApiAccount, ApiAccountOptions, Chat } from "../../api/types";
import { formatOf, formatsFor, tagsIn } from "../../networks/formats";
import type { NetworkFacts, Setting, SettingValue, TaggedPerson } from "../../networks/types";
import { type Draft, type FieldValue, keyOf, type Part, type PlacedTag } from "../draft/draft";
import { joined } from "../parts/parts";
import type { Upload } from "../uploads/use-uploads";

/** The options that a network offers to an account, or the error. */
export type OptionsResult = { options?: ApiAccountOptions; error?: Error };

/** The ID of a file's alt text field. */
export const altTextId = (fileId: string) => `alt-${fileId}`;

/**
 * Returns the tightest alt text limit of the chosen accounts. A Pin with its own alt text does not use the file's.
 */
export function altTextLimitOf({ id, kind }: Pick<Upload, "id" | "kind">, targets: Target[]): TextLimit | undefined {
  const limits = targets.flatMap(({ posts, settings }) =>
    settings.altText ? [] : posts.filter(({ files }) => files.some((file) => file.id === id)),
  );
  return limits
    .flatMap((post) => (kind === "document" ? [] : (post.limits?.[kind]?.altText ?? [])))
    .reduce<TextLimit | undefined>((least, one) => (least && least.max <= one.max ? least : one), undefined);
}

export type Count = { used: number; max: number; unit: TextLimit["unit"] };

export type TargetPost = {
  text: string;
  files: Upload[];
  count?: Count;
  limits?: Limits;
  /** Whether the network shows no text with these files. */
  dropsText: boolean;
};

/** What one account will be sent. The previews, the counters and the request use this. */
export type Target = {
  key: string;
  account: ApiAccount;
  network: NetworkFacts;
  posts: TargetPost[];
  isOwnText: boolean;
  /** Whether it gets other files than all accounts together. */
  hasOwnFiles: boolean;
  /** Whether the parts of a thread are joined, because the network takes one post. */
  isJoined: boolean;
  settings: { [setting: string]: SettingValue };
  /** The account's destinations; undefined while loading or if the network has none. */
  chats?: Chat[];
  chatId?: string;
  /** The choices of this account; undefined while loading or if the network has none. */
  options?: ApiAccountOptions;
  asked?: OptionsResult;
};

type Given = {
  draft: Draft;
  files: Upload[];
  accounts: ApiAccount[];
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
  account: ApiAccount;
  network: NetworkFacts;
  chats?: Chat[];
  asked?: OptionsResult;
};

function targetOf({ draft, files, account, network, chats, asked }: One): Target {
  const key = keyOf(account.id);
  const own = draft.own[key];
  const without = draft.without[key] ?? [];
  const sent = files.filter(
    ({ path, only }) => !(path && without.includes(path)) && [undefined, network.platform, key].includes(only),
  );
  const isJoined = !network.posts && (own ?? draft.parts).length > 1;
  const plain = isJoined
    ? [{ text: joined((own ?? draft.parts).map(({ text }) => text)), files: draft.parts.flatMap(filesIn(draft, sent)) }]
    : postsOf(draft, own, sent);
  const settings = settingsFor(
    network,
    draft.settings[key],
    plain.flatMap((post) => post.files),
  );
  return {
    key,
    account,
    network,
    posts: plain.map((post) => withLimits(network, settings, post, account.textMax)),
    isOwnText: own !== undefined,
    hasOwnFiles: sent.some(({ only }) => only) || sent.length !== files.filter(({ only }) => !only).length,
    isJoined,
    settings,
    chats,
    chatId: draft.chats[key] || (chats?.length === 1 && !network.destinations?.own ? chats[0]?.id : undefined),
    options: asked?.options,
    asked,
  };
}

type PlainPost = Pick<TargetPost, "text" | "files">;

/** Each part with its files. If an account has fewer parts, the last one takes the remaining files. */
function postsOf(draft: Draft, own: Part[] | undefined, sent: Upload[]): PlainPost[] {
  const posts = (own ?? draft.parts).map(({ text }): PlainPost => ({ text, files: [] }));
  for (const [index, part] of draft.parts.entries()) {
    posts[Math.min(index, posts.length - 1)]?.files.push(...filesIn(draft, sent)(part));
  }
  return posts;
}

/** The files of a part; files of an unknown part belong to the first. */
export function filesIn({ parts }: Pick<Draft, "parts">, files: Upload[]) {
  const isKnown = (id: string | undefined) => parts.some((part) => part.id === id);
  return (part: Part): Upload[] => files.filter(({ partId }) => (isKnown(partId) ? partId : parts[0]?.id) === part.id);
}

function withLimits(
  network: NetworkFacts,
  settings: Target["settings"],
  { text, files }: PlainPost,
  textMax: number | undefined,
): TargetPost {
  const usual = formatsFor(network, settings)[formatOf(files)];
  const limits = usual && limitsFor(usual, settings, textMax);
  return {
    text,
    files,
    limits,
    count: limits?.text && textCountOf(limits.text, text),
    dropsText: limits !== undefined && !limits.text && text.trim() !== "",
  };
}

/**
 * TikTok requires these to be off until the user turns them on. The consent is the sentence above the button (its
 * guidelines).
 */
const tiktokPresets: { [setting: string]: boolean } = {
  disableComments: true,
  disableDuet: true,
  disableStitch: true,
  hasUsageConfirmation: true,
};

/** The chosen settings, or the presets; empty ones are left out. */
function settingsFor(
  network: NetworkFacts,
  chosen: Draft["settings"][string] = {},
  files: Upload[],
): Target["settings"] {
  const presets = network.platform === "TIKTOK" ? tiktokPresets : {};
  const entries = network.settings.map((setting) => {
    const { name, preset } = setting;
    return [name, sentValue(setting, chosen[name] ?? presets[name] ?? preset, files)] as const;
  });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** The choices of a question. */
export const YES = "YES";
export const NO = "NO";

/** Returns what a field means on the wire; undefined if it is empty. Text that is not a number is left to the check. */
function sentValue({ kind, scale }: Setting, value: FieldValue, files: Upload[]): SettingValue | undefined {
  if (kind === "number" && typeof value === "string" && value.trim() !== "") {
    const number = Number(value.replace(",", "."));
    if (Number.isFinite(number)) return scale ? Math.round(number * scale) : number;
  }
  if (kind === "question" && typeof value === "string") return value === "" ? undefined : value === YES;
  if (kind !== "list" || typeof value === "boolean") return value === "" ? undefined : value;
  const entries = typeof value === "string" ? value.split("\n") : (value ?? []);
  const filled = entries.flatMap((entry) => (typeof entry === "string" ? entry.trim() || [] : sentTag(entry, files)));
  return filled.length > 0 ? filled : undefined;
}

/**
 * Returns a setting of a request as the value of its field; undefined if no field can show it.
 * @param paths the storage keys of the attachments
 */
export function fieldValue(
  value: unknown,
  { choices, helper, scale = 1 }: Partial<Setting> = {},
  paths?: string[],
): FieldValue {
  if (helper === "tags")
    return tagsIn(value).map(({ attachment = 0, ...tag }) => ({ ...tag, path: paths?.[attachment] ?? "" }));
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string"))
    return choices ? value : value.join("\n");
  if (typeof value === "number") return String(value / scale);
  return typeof value === "string" || typeof value === "boolean" ? value : undefined;
}

/** A tag with the place of its file among the files that the account gets; nothing if it does not get that file. */
function sentTag({ path, ...tag }: PlacedTag, files: Upload[]): TaggedPerson | [] {
  const attachment = files.findIndex((file) => file.path === path);
  return attachment < 0 ? [] : { ...tag, attachment };
}

/** Counts a text as the network shows it, in its unit; in bytes if only the byte limit is exceeded. */
export function textCountOf(limit: TextLimit, written: string): Count {
  const { unit, max, bytes } = limit;
  const text = shownText(limit, written);
  const used = textLength(unit, text);
  const width = textLength("bytes", text);
  return bytes !== undefined && used <= max && width > bytes
    ? { used: width, max: bytes, unit: "bytes" }
    : { used, max, unit };
}

/** Whether a text is within a network's limit. */
export function fits(limit: TextLimit, text: string): boolean {
  const { used, max } = textCountOf(limit, text);
  return used <= max;
}

/** The video whose cover the network accepts; undefined if it accepts none, or the cover is an attachment. */
export function coveredVideo({ files, limits }: Pick<TargetPost, "files" | "limits">): Upload | undefined {
  if (!limits?.cover || limits.coverIsAttached) return undefined;
  return files.find(({ kind }) => kind === "video");
}

/** The networks that use a video's cover, and those that choose their own. */
export function coverNetworks({ id }: Pick<Upload, "id">, targets: Target[]): { take: string[]; choose: string[] } {
  const sent = targets.filter(({ posts }) => posts.some(({ files }) => files.some((file) => file.id === id)));
  const takes = ({ posts }: Target) => posts.some((post) => coveredVideo(post)?.id === id);
  const named = (some: Target[]) => [...new Set(some.map(({ network }) => network.name))];
  return { take: named(sent.filter(takes)), choose: named(sent.filter((target) => !takes(target))) };
}

/** Returns a field's label: the network's, the common one, or the readable name on the wire. */
export function labelOf(
  { settings, commonNames }: Pick<NetworkFacts, "settings" | "commonNames">,
  field: string,
): string {
  return settings.find(({ name }) => name === field)?.label ?? commonNames[field] ?? readableName(field);
}

/**
 * Makes a name on the wire readable: `publicationType` is "Publication type", `PUBLIC_TO_EVERYONE` "Public to
 * everyone".
 */
export function readableName(name: string): string {
  const apart = /[a-z]/.test(name) ? name.replace(/([a-z])([A-Z])/g, "$1 $2") : name.replaceAll("_", " ");
  const lower = apart.toLowerCase().replace(/\bai\b/g, "AI");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}
