import { type Draft, hasText } from "./draft";
import type { Problem } from "./problems";
import { ACCOUNTS_ID, FILES_ID, partFieldId, type Remedy, withoutAccount } from "./remedies";
import type { Target } from "./targets";
import { timeOf } from "./time-of";
import type { Upload } from "./use-uploads";
import { words } from "./words";

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
    found.push(problem("Choose at least one account.", [{ label: "Choose accounts", goTo: ACCOUNTS_ID }]));
  if (isEmpty(draft, files)) found.push(problem("Write something or add a picture.", writing(draft)));
  if (isReading || files.some(({ path, error }) => !path && !error))
    found.push(problem("Files are still being uploaded."));
  if (files.some(({ cover }) => cover && !cover.path && !cover.error)) {
    found.push(problem("A cover is still being uploaded."));
  }
  if (files.some(({ cover }) => cover?.error)) {
    found.push(
      problem("A cover did not upload. Choose it again or leave it out.", [
        { label: "Go to the files", goTo: FILES_ID },
      ]),
    );
  }
  if (files.some(({ error }) => error)) {
    found.push(
      problem("A file did not upload. Try it again or remove it.", [{ label: "Go to the files", goTo: FILES_ID }]),
    );
  }
  return [...found, ...targets.flatMap(waiting), ...timeObstacles(draft, nowMs)];
}

export function isEmpty(draft: Draft, files: Upload[]): boolean {
  return !hasText(draft) && files.length === 0;
}

function writing({ parts: [first] }: Draft): Remedy[] {
  return first ? [{ label: "Write", goTo: partFieldId(undefined, first.id) }] : [];
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
    remedies: [{ label: "Leave this account out", change: (draft) => withoutAccount(draft, target.account.id) }],
  }));
}

function places({ network: { destinations, name }, chats }: Target): string[] {
  if (!destinations) return [];
  if (!chats) return [`Looking up where this ${name} account can post.`];
  return chats.length === 0 ? [`This ${name} account has nowhere to post yet. Add a place under Accounts.`] : [];
}

/** A choice that this very account does not have, as its network says just now. */
function options({ network: { hasOptions, name }, settings, asked }: Target): string[] {
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

const GONE_MS = 60_000;
const NOW: Remedy = { label: "Post it now", change: (draft) => ({ ...draft, when: "now" }) };
const PICK: Remedy = { label: "Pick a time", change: (draft) => ({ ...draft, when: "later" }) };

function timeObstacles(draft: Draft, nowMs: number): Problem[] {
  const { when } = draft;
  if (when === "now") return [];
  const instant = timeOf(draft);
  if (!instant && when === "next") return [problem("There is no free slot to take.", [NOW, PICK])];
  if (!instant) return [problem("Pick a date and a time.", [{ label: "Pick a time", goTo: "at" }])];
  if (instant.getTime() >= nowMs - GONE_MS) return [];
  return [problem("The time you picked has passed.", [NOW, { label: "Pick another", goTo: "at" }])];
}
