import { type Draft, hasText } from "../draft/draft";
import type { Target } from "../targets/targets";
import { readableName } from "../targets/targets";
import { timeOf } from "../time/time-of";
import type { Upload } from "../uploads/use-uploads";
import { ACCOUNTS_ID, FILES_ID, type ProblemFix, partFieldId, withoutAccount } from "./fixes";
import type { ComposeProblem } from "./problems";
import { composeCheckWords } from "./words";

/**
 * Returns problems that only this page can detect, such as running uploads.
 * @param isReading whether a dropped folder is still being read
 */
export function pageProblems(
  draft: Draft,
  targets: Target[],
  files: Upload[],
  nowMs: number,
  isReading = false,
): ComposeProblem[] {
  const found: ComposeProblem[] = [];
  if (targets.length === 0)
    found.push(
      problem(composeCheckWords.chooseAccount, [{ label: composeCheckWords.chooseAccounts, goTo: ACCOUNTS_ID }]),
    );
  if (isEmpty(draft, files)) found.push(problem(composeCheckWords.writeSomething, writing(draft)));
  if (isReading || files.some(({ path, error }) => !path && !error))
    found.push(problem(composeCheckWords.filesUnderWay));
  if (files.some(({ cover }) => cover && !cover.path && !cover.error)) {
    found.push(problem(composeCheckWords.coverUnderWay));
  }
  if (files.some(({ cover }) => cover?.error)) {
    found.push(problem(composeCheckWords.coverFailed, [{ label: composeCheckWords.goToFiles, goTo: FILES_ID }]));
  }
  if (files.some(({ error }) => error)) {
    found.push(problem(composeCheckWords.fileFailed, [{ label: composeCheckWords.goToFiles, goTo: FILES_ID }]));
  }
  return [...found, ...targets.flatMap(targetProblems), ...timeProblems(draft, nowMs)];
}

export function isEmpty(draft: Draft, files: Upload[]): boolean {
  return !hasText(draft) && files.length === 0;
}

function writing({ parts: [first] }: Draft): ProblemFix[] {
  return first ? [{ label: composeCheckWords.write, goTo: partFieldId(undefined, first.id) }] : [];
}

function problem(text: string, fixes: ProblemFix[] = []): ComposeProblem {
  return { id: text, text, fixes };
}

/** Problems with destinations and options that are loading or missing. */
function targetProblems(target: Target): ComposeProblem[] {
  return [...places(target), ...options(target)].map((text) => ({
    id: `${target.key} ${text}`,
    text,
    target,
    fixes: [{ label: composeCheckWords.leaveAccountOut, change: (draft) => withoutAccount(draft, target.account.id) }],
  }));
}

function places({ network: { destinations, name }, chats }: Target): string[] {
  if (!destinations || destinations.own) return [];
  if (!chats) return [composeCheckWords.lookingUpPlaces(name)];
  return chats.length === 0 ? [composeCheckWords.noPlaces(name)] : [];
}

/** A chosen setting that the network does not offer to this account at present. */
function options({ network: { hasOptions, name }, settings, asked }: Target): string[] {
  if (!hasOptions) return [];
  if (asked?.error) return [composeCheckWords.doesNotSay(name, asked.error.message)];
  if (!asked?.options) return [composeCheckWords.asking(name)];
  return Object.entries(asked.options.settings).flatMap(([setting, values]) => {
    const chosen = settings[setting];
    return chosen === undefined || values.some((value) => value === chosen)
      ? []
      : [composeCheckWords.notOffered(name, readableName(setting), readableName(String(chosen)))];
  });
}

const GONE_MS = 60_000;
const NOW: ProblemFix = { label: composeCheckWords.postNow, change: (draft) => ({ ...draft, when: "now" }) };
const PICK: ProblemFix = { label: composeCheckWords.pickTime, change: (draft) => ({ ...draft, when: "later" }) };

function timeProblems(draft: Draft, nowMs: number): ComposeProblem[] {
  const { when } = draft;
  if (when === "now") return [];
  const instant = timeOf(draft);
  if (!instant && when === "next") return [problem(composeCheckWords.noSlot, [NOW, PICK])];
  if (!instant) return [problem(composeCheckWords.noTime, [{ label: composeCheckWords.pickTime, goTo: "at" }])];
  if (instant.getTime() >= nowMs - GONE_MS) return [];
  return [problem(composeCheckWords.timePassed, [NOW, { label: composeCheckWords.pickAnother, goTo: "at" }])];
}
