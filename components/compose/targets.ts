import type { Limits, TextLimit } from "@/lib/networks/limits";
import type { FormatName } from "@/lib/networks/network";
import { shownText } from "@/lib/networks/rich-text";
import { textLength } from "@/lib/networks/text";
import type { Asked } from "../api/queries";
import type { Account, AccountOptions, Chat } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { type Draft, keyOf } from "./draft";
import { words } from "./words";

export type Count = { used: number; max: number; unit: TextLimit["unit"] };

/** What one account will be sent, and why it cannot be yet. The preview, the counters and the request all read this. */
export type Target = {
  key: string;
  account: Account;
  network: NetworkFacts;
  text: string;
  /** The same as the network shows it. */
  shown: string;
  isOwnText: boolean;
  settings: { [setting: string]: string | boolean };
  /** Where this network has destinations; undefined while they are being read. */
  chats?: Chat[];
  chatId?: string;
  /** Where the network leaves choices to each account; undefined while it is being asked. */
  options?: AccountOptions;
  count?: Count;
  /** The network takes no text with this format. */
  dropsText: boolean;
  problems: string[];
};

type Given = {
  draft: Draft;
  kinds: ("image" | "video")[];
  accounts: Account[];
  networks: NetworkFacts[];
  chats: { [accountKey: string]: Chat[] | undefined };
  asked: { [accountKey: string]: Asked | undefined };
};

export function targetsOf({ draft, kinds, accounts, networks, chats, asked }: Given): Target[] {
  return accounts.flatMap((account) => {
    const network = networks.find(({ platform }) => platform === account.platform);
    if (!network || !draft.accountIds.includes(String(account.id))) return [];
    const key = keyOf(account.id);
    return targetOf({ draft, kinds, account, network, chats: chats[key], asked: asked[key] });
  });
}

type One = {
  draft: Draft;
  kinds: Given["kinds"];
  account: Account;
  network: NetworkFacts;
  chats?: Chat[];
  asked?: Asked;
};

function targetOf({ draft, kinds, account, network, chats, asked }: One): Target {
  const key = keyOf(account.id);
  const own = draft.own[key];
  const text = own ?? draft.text;
  const settings = settingsFor(network, draft.settings[key]);
  const limits = formatsFor(network, settings)[formatOf(kinds)];
  const chatId = draft.chats[key] || (chats?.length === 1 ? chats[0]?.id : undefined);
  const shown = limits?.text ? shownText(limits.text, text) : text;
  const count = limits?.text && countOf(limits.text, shown);
  const problems = [
    ...formatProblems(network, settings, kinds, limits),
    ...textProblems(text, limits?.text, count),
    ...settingProblems(network, settings),
    ...chatProblems(network, chats, chatId),
    ...optionProblems(network, settings, asked),
  ];
  const dropsText = limits !== undefined && !limits.text && text.trim() !== "";
  return {
    key,
    account,
    network,
    text,
    shown,
    isOwnText: own !== undefined,
    settings,
    chats,
    chatId,
    options: asked?.options,
    count,
    dropsText,
    problems,
  };
}

function formatOf(kinds: Given["kinds"]): FormatName {
  return kinds.length > 1 ? "carousel" : (kinds[0] ?? "text");
}

function formatsFor(network: NetworkFacts, settings: Target["settings"]) {
  const { variants, formats } = network;
  return variants?.formats[String(settings[variants.setting])] ?? formats;
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

/** By the network's unit; in bytes where it is they that are too many. */
function countOf({ unit, max, bytes }: TextLimit, text: string): Count {
  const used = textLength(unit, text);
  const width = textLength("bytes", text);
  return bytes !== undefined && used <= max && width > bytes
    ? { used: width, max: bytes, unit: "bytes" }
    : { used, max, unit };
}

const formatWords: Record<FormatName, string> = {
  text: "a text alone",
  image: "a picture",
  video: "a video",
  carousel: "several pictures or videos",
};

function formatProblems(network: NetworkFacts, settings: Target["settings"], kinds: Given["kinds"], limits?: Limits) {
  // The chosen setting is named only where it is the reason.
  const variant = network.formats[formatOf(kinds)] && network.variants && settings[network.variants.setting];
  const as = typeof variant === "string" ? ` as ${words(variant)}` : "";
  const takes = (Object.keys(formatsFor(network, settings)) as FormatName[]).map((name) => formatWords[name]);
  if (!limits)
    return [`${network.name} does not take ${formatWords[formatOf(kinds)]}${as}. It takes ${takes.join(", or ")}.`];
  const { count } = limits;
  if (count && kinds.length > count.max)
    return [`${network.name} takes at most ${count.max} files; there are ${kinds.length}.`];
  const refused =
    kinds.length > 0 && (["image", "video"] as const).find((kind) => kinds.includes(kind) && !limits[kind]);
  return refused ? [`${network.name} does not take ${formatWords[refused]} here.`] : [];
}

function textProblems(text: string, limit?: TextLimit, count?: Count): string[] {
  if (!limit || !count) return [];
  if (limit.required && text.trim() === "") return ["Needs a text."];
  const over = count.used - count.max;
  const what = count.unit === "bytes" ? "byte" : "character";
  return over > 0 ? [`The text is ${over} ${over === 1 ? what : `${what}s`} too long.`] : [];
}

function settingProblems({ settings: fields }: NetworkFacts, settings: Target["settings"]): string[] {
  return fields
    .filter(({ name, required }) => required && settings[name] === undefined)
    .map(({ name }) => `${words(name)} has to be set.`);
}

function chatProblems({ destinations, name }: NetworkFacts, chats?: Chat[], chatId?: string): string[] {
  if (!destinations) return [];
  if (!chats) return [`Looking up where this ${name} account can post.`];
  if (chats.length === 0) return [`This ${name} account has nowhere to post yet. Add a place under Accounts.`];
  return chats.some(({ id }) => id === chatId) ? [] : ["Choose where to post."];
}

/** A choice that this very account does not have, as its network says just now. */
function optionProblems({ hasOptions, name }: NetworkFacts, settings: Target["settings"], asked?: Asked): string[] {
  if (!hasOptions) return [];
  if (asked?.error) return [`${name} does not say what this account may choose: ${asked.error.message}`];
  if (!asked?.options) return [`Asking ${name} what this account may choose.`];
  return Object.entries(asked.options.settings).flatMap(([setting, values]) => {
    const chosen = settings[setting];
    return chosen === undefined || values.includes(chosen)
      ? []
      : [`${words(setting)}: ${name} does not offer ${words(String(chosen))} to this account.`];
  });
}
