import type { z } from "zod";
import type { Problem } from "../../errors";
import { oneOf, shapeProblems } from "../../http/schema-problems";
import type { Breach, Network } from "../../networks";
import type { NewSchedule } from "../input";

export type Settings = { [name: string]: unknown };

type Given = NewSchedule["publications"][number]["platformSettings"];

/**
 * What is known of a publication's settings. `sound`: as they are stored, absent where something is wrong with them.
 * `possible`: what they may be meant to be, so that the rest of a post is checked as well; one where nothing is wrong.
 */
export type CheckedSettings = {
  sound?: Settings & { type: string };
  possible: Settings[];
  isWrong(name: string): boolean;
};

/** A publication's settings, every problem with them told. @param path theirs */
export function checkSettings(network: Network, given: Given, path: string, problems: Problem[]): CheckedSettings {
  const { type, ...rest } = given;
  const [first, ...others] = network.settingsTypes;
  if (!network.settingsTypes.includes(type)) {
    const message = `must be ${[first, ...others].join(" or ")} for this ${network.name} account, not ${type}`;
    const of = { path: `${path}.type`, message, rule: "settings.type", measured: type, limit: [first, ...others] };
    problems.push({ ...of, fix: `Use ${first}`, change: { op: "replace", value: first } });
    return { possible: possibleSettings(network, {}), isWrong: () => true }; // the others belong to another network
  }
  const parsed = network.settings.safeParse(rest);
  if (parsed.success) {
    const sound = { type: first, ...(parsed.data as Settings) };
    return { sound, possible: [sound], isWrong: () => false };
  }
  const { issues } = parsed.error;
  problems.push(...issues.flatMap((issue) => settingProblems(network, issue, rest, path)));
  const wrong = new Set(issues.flatMap(namesOf));
  const right = Object.fromEntries(Object.entries(rest).filter(([name]) => !wrong.has(name)));
  return { possible: possibleSettings(network, right, wrong), isWrong: (name) => wrong.has(name) };
}

/**
 * What holds whatever the wrong settings are meant to be: breaches of all the possible ones, and none of a wrong setting
 * itself, of which enough is said.
 */
export function commonBreaches(
  { possible, isWrong }: CheckedSettings,
  breachesOf: (settings: Settings) => Breach[],
): Breach[] {
  const [breaches = [], ...others] = possible.map(breachesOf);
  return breaches.filter(({ at, rule }) => {
    const [place, name] = at.split(".");
    if (place === "platformSettings" && name && isWrong(name)) return false;
    return others.every((other) => other.some((one) => one.at === at && one.rule === rule));
  });
}

/** The settings that can stand where the wrong ones are left out: what decides on the formats in each of its values. */
function possibleSettings(network: Network, right: Settings, wrong: ReadonlySet<string> = new Set()): Settings[] {
  const { variants } = network;
  const known = variants && right[variants.setting] === undefined && (wrong.size === 0 || wrong.has(variants.setting));
  const values = known ? Object.keys(variants.formats) : [];
  const given =
    values.length > 0 && variants ? values.map((value) => ({ ...right, [variants.setting]: value })) : [right];
  return given.flatMap((settings) => completed(network, settings));
}

/** With whatever these lack: each choice of a choice, an empty text. */
function completed(network: Network, settings: Settings): Settings[] {
  const parsed = network.settings.safeParse(settings);
  if (parsed.success) return [parsed.data as Settings];
  const [issue] = parsed.error.issues;
  const [name] = issue ? namesOf(issue) : [];
  if (!issue || name === undefined || name in settings) return [];
  const choices = issue.code === "invalid_value" ? issue.values : [""];
  return choices.flatMap((choice) => completed(network, { ...settings, [name]: choice }));
}

function namesOf(issue: z.core.$ZodIssue): string[] {
  return issue.code === "unrecognized_keys" ? issue.keys : issue.path.slice(0, 1).map(String);
}

/** What one issue says of the settings, whose path this is; a missing one and a wrong type in the words of every other field. */
function settingProblems(network: Network, issue: z.core.$ZodIssue, given: Settings, path: string): Problem[] {
  const at = `${path}.${issue.path.join(".")}`;
  const limit = issue.code === "invalid_value" ? { limit: issue.values.map(String) } : {};
  const [name] = issue.path;
  if (name !== undefined && (given[String(name)] ?? null) === null) {
    return [{ path: at, message: "cannot be null", rule: "required", ...limit }];
  }
  if (issue.code === "invalid_type") return shapeProblems([issue], given, path);
  if (issue.code === "unrecognized_keys") {
    const message = `is not a setting of ${network.name}`;
    return issue.keys.map((key) => unknownSetting(`${path}.${key}`, message, key));
  }
  if (issue.code === "invalid_value") {
    return [{ path: at, message: `must be ${oneOf(issue.values)}`, rule: "settings.choice", ...limit }];
  }
  const message = `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  return [{ path: at, message, rule: "settings.invalid", ...(issue.code === "custom" ? issue.params : {}) }];
}

function unknownSetting(path: string, message: string, key: string): Problem {
  const problem: Problem = { path, message, rule: "settings.unknown", fix: "Remove it" };
  return /^\w+$/.test(key) ? { ...problem, change: { op: "remove" } } : problem;
}
