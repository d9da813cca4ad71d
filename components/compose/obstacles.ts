import * as words from "../words/compose-problems";
import { type Draft, hasText } from "./draft";
import type { Problem } from "./problems";
import { readable } from "./readable";
import { ACCOUNTS_ID, FILES_ID, partFieldId, type Remedy, withoutAccount } from "./remedies";
import type { Target } from "./targets";
import { timeOf } from "./time-of";
import type { Upload } from "./use-uploads";

/**
 * What only this page knows to be in the way, before any network's rules.
 * @param isReading a folder is looked through: whatever is in it comes yet
 */
export function obstaclesOf(
  draft: Draft,
  targets: Target[],
  files: Upload[],
  nowMs: number,
  isReading = false,
): Problem[] {
  const found: Problem[] = [];
  if (targets.length === 0)
    found.push(problem(words.chooseAccount, [{ label: words.chooseAccounts, goTo: ACCOUNTS_ID }]));
  if (isEmpty(draft, files)) found.push(problem(words.writeSomething, writing(draft)));
  if (isReading || files.some(({ path, error }) => !path && !error)) found.push(problem(words.filesUnderWay));
  if (files.some(({ cover }) => cover && !cover.path && !cover.error)) {
    found.push(problem(words.coverUnderWay));
  }
  if (files.some(({ cover }) => cover?.error)) {
    found.push(problem(words.coverFailed, [{ label: words.goToFiles, goTo: FILES_ID }]));
  }
  if (files.some(({ error }) => error)) {
    found.push(problem(words.fileFailed, [{ label: words.goToFiles, goTo: FILES_ID }]));
  }
  return [...found, ...targets.flatMap(waiting), ...timeObstacles(draft, nowMs)];
}

export function isEmpty(draft: Draft, files: Upload[]): boolean {
  return !hasText(draft) && files.length === 0;
}

function writing({ parts: [first] }: Draft): Remedy[] {
  return first ? [{ label: words.write, goTo: partFieldId(undefined, first.id) }] : [];
}

function problem(text: string, remedies: Remedy[] = []): Problem {
  return { id: text, text, remedies };
}

/** What is still being asked of an account's network, or was answered with nothing. */
function waiting(target: Target): Problem[] {
  return [...places(target), ...options(target)].map((text) => ({
    id: `${target.key} ${text}`,
    text,
    target,
    remedies: [{ label: words.leaveAccountOut, change: (draft) => withoutAccount(draft, target.account.id) }],
  }));
}

function places({ network: { destinations, name }, chats }: Target): string[] {
  if (!destinations) return [];
  if (!chats) return [words.lookingUpPlaces(name)];
  return chats.length === 0 ? [words.noPlaces(name)] : [];
}

/** A choice that this very account does not have, as its network says just now. */
function options({ network: { hasOptions, name }, settings, asked }: Target): string[] {
  if (!hasOptions) return [];
  if (asked?.error) return [words.doesNotSay(name, asked.error.message)];
  if (!asked?.options) return [words.asking(name)];
  return Object.entries(asked.options.settings).flatMap(([setting, values]) => {
    const chosen = settings[setting];
    return chosen === undefined || values.includes(chosen)
      ? []
      : [words.notOffered(name, readable(setting), readable(String(chosen)))];
  });
}

const GONE_MS = 60_000;
const NOW: Remedy = { label: words.postNow, change: (draft) => ({ ...draft, when: "now" }) };
const PICK: Remedy = { label: words.pickTime, change: (draft) => ({ ...draft, when: "later" }) };

function timeObstacles(draft: Draft, nowMs: number): Problem[] {
  const { when } = draft;
  if (when === "now") return [];
  const instant = timeOf(draft);
  if (!instant && when === "next") return [problem(words.noSlot, [NOW, PICK])];
  if (!instant) return [problem(words.noTime, [{ label: words.pickTime, goTo: "at" }])];
  if (instant.getTime() >= nowMs - GONE_MS) return [];
  return [problem(words.timePassed, [NOW, { label: words.pickAnother, goTo: "at" }])];
}
