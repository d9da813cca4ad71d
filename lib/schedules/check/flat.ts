import { getAccountOptions } from "../../accounts";
import type { Problem } from "../../errors";
import { log } from "../../log";
import { type Network, networkOf, PlatformError } from "../../networks";
import type { FlatSchedule, NewSchedule } from "../input";
import type { Facts } from "./facts";
import { truncateText } from "./limits";

/**
 * A flat body has no settings, so it is converted to the nested shape: one publication with one post. Settings that the network
 * requires come from the body's text or from what the account may choose (DECISIONS, "Flat body"). Every problem is converted
 * back, so that it names a field of the flat body.
 */

/** An id that no account has. */
const NO_ACCOUNT = 0;

/** The settings that a flat body can contain itself. */
const settingFields = ["publicationType", "privacyLevel"] as const;

/** The paths of the nested body that exist in a flat body, with the flat names. */
const flatPaths = Object.entries({
  "publications[0].socialMediaAccountId": "accountId",
  "publications[0].posts[0].content": "content",
  "publications[0].posts[0].attachmentPaths": "mediaPaths",
  "publications[0].posts[0].chatId": "chatId",
});
const SETTINGS = "publications[0].platformSettings.";

/** Settings that were not in the body, because they come from the account's network. */
type ChosenSettings = { [name: string]: string };

/** Converts a flat body to the nested shape, for the account if it was found. */
export function toNestedInput(flat: FlatSchedule, accountId = NO_ACCOUNT, chosen: ChosenSettings = {}): NewSchedule {
  const { platform, scheduledTime, isDraft, content, mediaPaths, chatId } = flat;
  const network = networkOf(platform);
  const { title, text } = splitContent(network, content);
  const given = settingFields.flatMap((name) =>
    flat[name] === undefined || isIgnored(network, name) ? [] : [[name, flat[name]] as const],
  );
  const firstLine = network.flatBody?.firstLine;
  const platformSettings = {
    type: network.settingsTypes[0],
    ...(firstLine ? { [firstLine.setting]: title } : {}),
    ...chosen,
    ...Object.fromEntries(given),
  };
  const posts = [{ content: text, attachmentPaths: mediaPaths, chatId }];
  return { scheduledTime, isDraft, publications: [{ socialMediaAccountId: accountId, platformSettings, posts }] };
}

/** SPEC's flat body contains a `publicationType` on every network. Networks without that setting ignore it, with a warning. */
function isIgnored(network: Network, name: (typeof settingFields)[number]): boolean {
  return name === "publicationType" && network.variants?.setting !== name;
}

/** The parts of a flat body's text: the title, if the network has one, and the rest. `between` separated them. */
type SplitContent = { title: string; between: string; text: string };

/** Splits a text for a network whose title is the first line. A longer first line continues in the rest. */
function splitContent({ flatBody }: Network, content: string): SplitContent {
  if (!flatBody?.firstLine) return { title: "", between: "", text: content };
  const shown = content.trimStart();
  const [line = ""] = shown.split(/\r?\n/, 1);
  const isTooLong = line.trimEnd().length > flatBody.firstLine.limit.max;
  const title = (isTooLong ? truncateText(line, flatBody.firstLine.limit) : line.trimEnd()) ?? "";
  const rest = shown.slice(title.length);
  const text = rest.trimStart();
  return { title, between: rest.slice(0, rest.length - text.length), text };
}

/**
 * Returns the setting whose choices depend on the account, with the narrowest value that the account may choose. If the network
 * does not tell the choices, this is the narrowest value of all.
 */
export async function chooseSettings(flat: FlatSchedule, { named, accounts }: Facts): Promise<ChosenSettings> {
  const account = named === undefined ? undefined : accounts.get(named);
  const choice = account && networkOf(account.platform).flatBody?.choice;
  if (!choice || flat.privacyLevel !== undefined) return {};
  const offered = await optionsOrNone(account, choice.setting);
  return { [choice.setting]: narrowestOf(choice.narrowestFirst, offered) };
}

/** Returns the first of these values that is offered, or the first one if none of them is. */
export function narrowestOf([first, ...others]: [string, ...string[]], offered: unknown[]): string {
  return [first, ...others].find((value) => offered.includes(value)) ?? first;
}

/** An unavailable network must not prevent scheduling. */
async function optionsOrNone(account: Parameters<typeof getAccountOptions>[0], setting: string): Promise<unknown[]> {
  try {
    return (await getAccountOptions(account)).settings[setting] ?? [];
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.info({ account: account.id, answer: error.answer }, error.message);
    return [];
  }
}

/** Converts the problems of a converted body back to the fields of the flat body, and adds the flat body's own. */
export function toFlatProblems(problems: Problem[], flat: FlatSchedule): Problem[] {
  const network = networkOf(flat.platform);
  const found = problems.map((problem) => toFlatProblem(problem, flat, network));
  // Title and text are one field here. Of two changes, the second would undo the first.
  const changed = found.find(({ path, change }) => path === "content" && change);
  const own = found.map((problem) =>
    problem.path === "content" && problem !== changed ? withoutChange(problem) : problem,
  );
  return [...own, ...ignoredProblems(network, flat)];
}

function withoutChange({ change: _, ...problem }: Problem): Problem {
  return problem;
}

function toFlatProblem(problem: Problem, flat: FlatSchedule, network: Network): Problem {
  if (problem.path.startsWith(SETTINGS)) return toFlatSettingProblem(problem, flat, network);
  const [long, short] = flatPaths.find(([name]) => problem.path.startsWith(name)) ?? ["", ""];
  const path = long ? short + problem.path.slice(long.length) : problem.path.replace(/^publications.*/, "");
  if (problem.rule === "account.unknown") {
    return { ...problem, path, message: `is not one of this user's ${flat.platform} accounts: ${flat.accountId}` };
  }
  const { title, between } = splitContent(network, flat.content);
  return path === "content" ? withContent(problem, (text) => title + between + text) : { ...problem, path };
}

function toFlatSettingProblem(problem: Problem, flat: FlatSchedule, network: Network): Problem {
  const name = problem.path.slice(SETTINGS.length);
  if (settingFields.some((field) => field === name)) return { ...problem, path: name };
  if (name === network.flatBody?.firstLine?.setting) {
    const { between, text } = splitContent(network, flat.content);
    return withContent(problem, (title) => title + between + text);
  }
  const { fix, ...rest } = withoutChange(problem);
  const nested = `The flat body has no ${name}: send it in platformSettings of the nested body`;
  return { ...rest, path: "platform", fix: fix ? `${fix}. ${nested}` : nested };
}

/** The problem of a part of the content, with the change that gives the whole content. */
function withContent(problem: Problem, wholeOf: (part: string) => string): Problem {
  const { change } = problem;
  const replaced = change && change.op !== "remove" && typeof change.value === "string" ? change.value : undefined;
  const own = { ...withoutChange(problem), path: "content" };
  return replaced === undefined ? own : { ...own, change: { op: "replace", value: wholeOf(replaced) } };
}

function ignoredProblems(network: Network, flat: FlatSchedule): Problem[] {
  if (flat.publicationType === undefined || !isIgnored(network, "publicationType")) return [];
  const message = `is not used: ${network.name} has no publication types`;
  return [{ path: "publicationType", message, rule: "flat.ignored", fix: "Remove it", severity: "warning" }];
}
