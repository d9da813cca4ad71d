import { z } from "zod";
import { env } from "@/lib/env";
import { allNetworks, isOffered } from "@/lib/networks";
import type { FormatName, Network } from "@/lib/networks/network";
import { type Platform, platforms } from "@/lib/platforms";
import { commonNames, forms, helperWords, settingWords } from "./setting-words";
import type { NetworkFacts, NetworkFormatLimits, Setting } from "./types";

/** What the fields of optional settings start with in a new post, as the field shows it. */
type FirstValues = { [setting: string]: string | undefined };

/**
 * Describes the offered networks as plain data for the browser, from the same definitions that validation uses.
 * Server only.
 */
export function networkFacts(first: FirstValues = {}): NetworkFacts[] {
  return allNetworks()
    .filter(({ platform }) => isOffered(platform))
    .map((network) => factsOf(network, first));
}

/** Returns the networks' names. Server only. */
export function offeredNetworkNames(): { [P in Platform]?: string } {
  return Object.fromEntries(allNetworks().map(({ platform, name }) => [platform, name]));
}

/** Returns the names of the networks that are not simulated: what is published there is public. Server only. */
export function realNetworkNames(): string[] {
  return allNetworks()
    .filter(({ platform }) => env.networks[platforms[platform]].mode === "real")
    .map(({ name }) => name);
}

function factsOf(network: Network, first: FirstValues): NetworkFacts {
  const { platform, name, settingsTypes, formats, variants, destinations, posts } = network;
  const isSimulated = env.networks[platforms[platform]].mode === "sandbox";
  return {
    platform,
    name,
    settingsType: settingsTypes[0],
    isSimulated,
    feedUrl: isSimulated ? `${env.sandbox?.url}/#post-${platforms[platform]}-` : undefined,
    isBot: network.connect.kind === "bot",
    formats: limitsOf(formats),
    variants: variants && {
      setting: variants.setting,
      formats: Object.fromEntries(Object.entries(variants.formats).map(([value, under]) => [value, limitsOf(under)])),
    },
    posts: posts && { max: posts.max, isThread: posts.chain === "reply" },
    destinations: destinations && {
      required: destinations.required,
      own: destinations.own,
      part: destinations.parts?.setting,
    },
    hasOptions: network.accountOptions !== undefined,
    settings: settingsOf(network, first),
    commonNames,
    helperWords,
    form: forms[platform],
  };
}

function limitsOf(formats: Network["formats"]): NetworkFormatLimits {
  const limits: NetworkFormatLimits = {};
  for (const name of Object.keys(formats) as FormatName[]) limits[name] = formats[name]?.limits;
  return limits;
}

const JsonObject = z.object({
  properties: z
    .record(
      z.string(),
      z.object({
        type: z.string().optional(),
        enum: z.array(z.string()).optional(),
        default: z.union([z.string(), z.boolean()]).optional().catch(undefined),
        maxLength: z.number().optional(),
        items: z.object({ enum: z.array(z.string()).optional() }).optional(),
      }),
    )
    .default({}),
  required: z.array(z.string()).default([]),
});

const KINDS: { [type: string]: Setting["kind"] } = {
  boolean: "switch",
  integer: "number",
  number: "number",
  array: "list",
};

/** Returns the fields of `platformSettings` from the validating schema, without choices that publish nothing. */
function settingsOf(
  { platform, settings, variants, asks = [], comment, ...network }: Network,
  first: FirstValues,
): Setting[] {
  const { properties, required } = JsonObject.parse(z.toJSONSchema(settings, { unrepresentable: "any" }));
  const isEmpty = (name: string, choice: string) =>
    variants?.setting === name && Object.keys(variants.formats[choice] ?? { more: true }).length === 0;
  return Object.entries(properties).map(([name, property]) => {
    const { type = "", enum: choices, items, default: preset, maxLength } = property;
    return {
      name,
      ...settingWords(platform, name),
      // A switch without a default would answer for the person.
      kind: choices ? "choice" : type === "boolean" && preset === undefined ? "question" : (KINDS[type] ?? "text"),
      choices: (choices ?? items?.enum)?.filter((choice) => !isEmpty(name, choice)),
      // A setting that may stay absent is not sent with its default.
      preset: required.includes(name) ? preset : first[name],
      maxLength,
      scale: name.endsWith("Ms") ? 1_000 : undefined,
      limit: name === "firstComment" ? comment?.text : undefined,
      helper: helperOf(name, network),
      required: asks.includes(name) || (required.includes(name) && preset === undefined),
    };
  });
}

/** Values that people cannot type. */
function helperOf(
  name: string,
  { settingOptions, settingSearches }: Pick<Network, "settingOptions" | "settingSearches">,
): Setting["helper"] {
  if (settingOptions?.[name]) return "options";
  if (settingSearches?.[name]) return "search";
  if (name === "videoCoverTimestampMs") return "frame";
  if (name === "userTags") return "tags";
  return name === "captions" ? "text file" : undefined;
}
