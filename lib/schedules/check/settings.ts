import { z } from "zod";
import { capProblems, type Problem } from "../../errors";
import { oneOf, schemaProblems } from "../../http/schema-problems";
import { documentation, type FieldProblem, type Network } from "../../networks";
import type { NewSchedule } from "../input";

export type PublicationSettings = { [name: string]: unknown };

type SettingsInput = NewSchedule["publications"][number]["platformSettings"];

/**
 * The result of checking a publication's settings. `valid`: the settings to store, absent if they have a problem. `possible`: the
 * settings that may have been meant, so that the rest of the post can be checked; exactly one if there is no problem.
 */
export type CheckedSettings = {
  valid?: PublicationSettings & { type: string };
  possible: PublicationSettings[];
  isInvalid(name: string): boolean;
};

/** More than any network has. Each unknown setting would cost time, and a body has room for thirty thousand. */
const MAX_SETTINGS = 100;

/**
 * Checks a publication's settings and adds every problem to `problems`.
 * @param path the path of the settings
 * @param isDraft accept settings that are missing or have a value that is not valid yet, and store them as they are
 */
export function checkSettings(
  network: Network,
  given: SettingsInput,
  path: string,
  problems: Problem[],
  isDraft = false,
): CheckedSettings {
  const count = Object.keys(given).length;
  if (count > MAX_SETTINGS) {
    const message = `must have at most ${MAX_SETTINGS} settings`;
    problems.push({ path, message, rule: "settings.too_many", measured: count, limit: { max: MAX_SETTINGS } });
    return { possible: possibleSettings(network, {}), isInvalid: () => true };
  }
  const { type, ...rest } = given;
  const [first, ...others] = network.settingsTypes;
  if (!network.settingsTypes.includes(type)) {
    const message = `must be ${[first, ...others].join(" or ")} for this ${network.name} account, not ${type}`;
    const of = { path: `${path}.type`, message, rule: "settings.type", measured: type, limit: [first, ...others] };
    problems.push({ ...of, fix: `Use ${first}`, change: { op: "replace", value: first } });
    return { possible: possibleSettings(network, {}), isInvalid: () => true }; // the other settings belong to another network
  }
  const parsed = network.settings.safeParse(rest);
  if (parsed.success) {
    const valid = { type: first, ...(parsed.data as PublicationSettings) };
    return { valid: valid, possible: [valid], isInvalid: () => false };
  }
  const issues = parsed.error.issues.filter((issue) => !isDraft || isWrongShape(issue, rest));
  if (issues.length === 0) {
    const valid = { type: first, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)) };
    return { valid, possible: [valid], isInvalid: () => false };
  }
  problems.push(...capProblems(issues.flatMap((issue) => settingProblems(network, issue, rest, path))));
  const wrong = new Set(issues.flatMap(settingNames));
  const right = Object.fromEntries(Object.entries(rest).filter(([name]) => !wrong.has(name)));
  return { possible: possibleSettings(network, right, wrong), isInvalid: (name) => wrong.has(name) };
}

/** Whether checking these settings (parsed or not) needs to know what the account's permission covers. */
export function needsPermission({ comment, permissions = [] }: Network, settings: PublicationSettings): boolean {
  const wanted = [...permissions.map(({ setting }) => setting), ...(comment?.scope ? ["firstComment"] : [])];
  return wanted.some((setting) => isWanted(settings[setting]));
}

const isWanted = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== false && value !== "";

/** Returns a problem for each of the (parsed) settings that the account's permission does not cover. */
export function permissionProblems(
  { name, permissions = [] }: Network,
  settings: PublicationSettings,
  path: string,
  { scopes: granted }: { scopes?: readonly string[] },
): Problem[] {
  if (!granted) return [];
  return permissions
    .filter(({ setting, scopes }) => isWanted(settings[setting]) && !scopes.some((scope) => granted.includes(scope)))
    .map(({ setting, covers, isOptional }) => {
      const effect = isOptional ? "the post is published without it" : "the post would fail";
      return {
        path: `${path}.${setting}`,
        message: `This account's permission at ${name} does not cover ${covers}, so ${effect}`,
        rule: "settings.scope",
        ...(isOptional ? { severity: "warning" as const } : {}),
        fix: `Reconnect the account and allow ${covers}, or remove the setting`,
      };
    });
}

/**
 * Returns the problems that occur with all possible settings. Problems of an invalid setting itself are left out, because that
 * setting has been reported already.
 */
export function commonProblems(
  { possible, isInvalid: isWrong }: CheckedSettings,
  problemsOf: (settings: PublicationSettings) => FieldProblem[],
): FieldProblem[] {
  const [problems = [], ...others] = possible.map(problemsOf);
  return problems.filter(({ at, rule }) => {
    const [place, name] = at.split(".");
    if (place === "platformSettings" && name && isWrong(name)) return false;
    return others.every((other) => other.some((one) => one.at === at && one.rule === rule));
  });
}

/** Returns the settings that are possible without the invalid ones. The setting that decides the formats gets each of its values. */
function possibleSettings(
  network: Network,
  right: PublicationSettings,
  wrong: ReadonlySet<string> = new Set(),
): PublicationSettings[] {
  const { variants } = network;
  const known = variants && right[variants.setting] === undefined && (wrong.size === 0 || wrong.has(variants.setting));
  const values = known ? Object.keys(variants.formats) : [];
  const given =
    values.length > 0 && variants ? values.map((value) => ({ ...right, [variants.setting]: value })) : [right];
  return given.flatMap((settings) => completedSettings(network, settings));
}

/**
 * Whether a draft is refused: a setting is unknown, or its value has another type or is not one of the choices. A text may still be
 * too long, and a number or an address may still be being typed.
 */
function isWrongShape(issue: z.core.$ZodIssue, given: PublicationSettings): boolean {
  if (issue.code === "unrecognized_keys") return true;
  const value = given[String(issue.path[0])] ?? null;
  if (value === null) return false;
  if (issue.code !== "invalid_type") return issue.code === "invalid_value";
  return typeof value !== "string" || issue.expected !== "number";
}

/** Adds missing settings: every value of a choice, or an empty text. */
function completedSettings(network: Network, settings: PublicationSettings): PublicationSettings[] {
  const parsed = network.settings.safeParse(settings);
  if (parsed.success) return [parsed.data as PublicationSettings];
  const [issue] = parsed.error.issues;
  const [name] = issue ? settingNames(issue) : [];
  if (!issue || name === undefined || name in settings) return [];
  const choices = issue.code === "invalid_value" ? issue.values : [""];
  return choices.flatMap((choice) => completedSettings(network, { ...settings, [name]: choice }));
}

function settingNames(issue: z.core.$ZodIssue): string[] {
  return issue.code === "unrecognized_keys" ? issue.keys : issue.path.slice(0, 1).map(String);
}

/** Converts one issue to problems. Missing settings and wrong types get the same messages as other fields. */
function settingProblems(
  network: Network,
  issue: z.core.$ZodIssue,
  given: PublicationSettings,
  path: string,
): Problem[] {
  const at = `${path}.${issue.path.join(".")}`;
  const limit = issue.code === "invalid_value" ? { limit: issue.values.map(String) } : {};
  const [name] = issue.path;
  const source = sourceOf(network, String(name), issue.code === "too_big");
  if (name !== undefined && (given[String(name)] ?? null) === null) {
    return [{ path: at, message: "cannot be null", rule: "required", ...limit }];
  }
  if (issue.code === "invalid_type") return schemaProblems([issue], given, path);
  if (issue.code === "unrecognized_keys") {
    const message = `is not a setting of ${network.name}`;
    return issue.keys.map((key) => unknownSetting(`${path}.${key}`, message, key));
  }
  if (issue.code === "invalid_value") {
    return [{ path: at, message: `must be ${oneOf(issue.values)}`, rule: "settings.choice", ...limit, ...source }];
  }
  const message = `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  const more = issue.code === "custom" ? issue.params : boundOf(issue, given);
  return [{ path: at, message, rule: "settings.invalid", ...source, ...more }];
}

function sourceOf({ settings }: Network, name: string, isTooLong: boolean): { source?: string } {
  const field: unknown = settings instanceof z.ZodObject ? settings.shape[name] : undefined;
  const pages = field instanceof z.ZodType ? documentation.get(field) : undefined;
  const source = isTooLong && pages?.lengthSource !== undefined ? pages.lengthSource : pages?.source;
  return source ? { source } : {};
}

/** The bound that a number or the length of a text exceeds, and what was measured. */
function boundOf(issue: z.core.$ZodIssue, given: PublicationSettings): Pick<Problem, "measured" | "limit"> {
  if (issue.code !== "too_small" && issue.code !== "too_big") return {};
  const value = issue.path.reduce<unknown>((at, key) => (at as { [key: PropertyKey]: unknown })[key], given);
  const measured = typeof value === "number" ? value : String(value).length;
  return {
    measured,
    limit: issue.code === "too_small" ? { min: Number(issue.minimum) } : { max: Number(issue.maximum) },
  };
}

function unknownSetting(path: string, message: string, key: string): Problem {
  const problem: Problem = { path, message, rule: "settings.unknown", fix: "Remove it" };
  return /^\w+$/.test(key) ? { ...problem, change: { op: "remove" } } : problem;
}
