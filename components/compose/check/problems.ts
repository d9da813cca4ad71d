import { handleOf } from "../../accounts/names";
import type { Draft } from "../draft/draft";
import type { CheckProblem } from "../draft/queries";
import type { Target } from "../targets/targets";
import { altTextId, labelOf } from "../targets/targets";
import {
  applyPatch,
  cropFixes,
  FILES_ID,
  fieldId,
  leaveFileOutFixes,
  oneKindFixes,
  otherFormatFixes,
  type ProblemFix,
  type ProblemPlace,
  partFieldId,
  removePartFixes,
  splitFixes,
  withoutAccount,
} from "./fixes";
import { composeCheckWords } from "./words";

/** A problem or a warning with its fixes. */
export type ComposeProblem = {
  id: string;
  text: string;
  /** Set if it concerns one account. */
  target?: Target;
  fixes: ProblemFix[];
  isWarning?: boolean;
};

const PATH =
  /^publications\[(\d+)\](?:\.posts(?:\[(\d+)\])?)?(?:\.(?:platformSettings\.)?(\w+)(?:\[(\d+)\])?)?(?:\.\w+)*$/;

/** Converts the API's problems to sentences with fixes. The page itself reports problems with the time. */
export function checkProblems(found: CheckProblem[], targets: Target[], draft: Draft): ComposeProblem[] {
  const problems = found.flatMap((one) => {
    const place = placeOf(one.path, targets);
    return place && !isPageProblem(one, place.target) ? [problemOf(one, place, draft)] : [];
  });
  const isSame = (one: ComposeProblem, other: ComposeProblem) =>
    one.text === other.text && one.target?.key === other.target?.key;
  return problems.filter((problem, index) => problems.findIndex((other) => isSame(problem, other)) === index);
}

/** Whether the page reports it already: the account has no destination, or they are still loading. */
function isPageProblem({ rule }: CheckProblem, { chats }: Target): boolean {
  return rule === "chat.required" && !chats?.length;
}

function placeOf(path: string, targets: Target[]): ProblemPlace | undefined {
  const [, publication, post, field = "", file] = PATH.exec(path) ?? [];
  const target = targets[Number(publication)];
  return target && { target, post: Number(post ?? 0), field, ...(file !== undefined && { file: Number(file) }) };
}

function problemOf(found: CheckProblem, place: ProblemPlace, draft: Draft): ComposeProblem {
  const { target } = place;
  // All parts share the destination, so it is reported once.
  const isOfPart = target.posts.length > 1 && found.path.includes("posts[") && place.field !== "chatId";
  const text = textOf(found, place);
  const isWarning = found.severity === "warning";
  const leave: ProblemFix = {
    label: composeCheckWords.leaveAccountOut,
    change: (now) => withoutAccount(now, target.account.id),
  };
  return {
    id: `${target.key} ${found.path} ${found.rule}`,
    text: isOfPart ? composeCheckWords.inPart(place.post + 1, text) : text,
    target,
    fixes: isWarning ? [] : [...fixesFor(found, place, draft), leave],
    ...(isWarning && { isWarning }),
  };
}

/** `X (@bells)`, for problems shown apart from their account. */
export function targetName({ network, account }: Target): string {
  return `${network.name} (${handleOf(account)})`;
}

function textOf({ rule, message, measured, limit }: CheckProblem, { target, post, field, file }: ProblemPlace): string {
  const most = typeof limit === "object" && !Array.isArray(limit) ? limit.max : undefined;
  if (rule === "chat.required") return composeCheckWords.noPlace;
  if (rule === "media.alt_text" && typeof measured === "number" && most !== undefined) {
    const { name } = target.posts[post]?.files[file ?? 0] ?? { name: composeCheckWords.theFile };
    return composeCheckWords.altTextTooLong(name, measured - most, target.network.name, most);
  }
  const what = labelOf(target.network, field);
  if (rule === "required") return composeCheckWords.notSet(what);
  if (rule === "text.required") return composeCheckWords.noText(what);
  if ((rule === "text.length" || rule === "text.bytes") && typeof measured === "number" && most !== undefined) {
    const unit = rule === "text.bytes" ? "byte" : "character";
    return composeCheckWords.tooLong(what, measured - most, unit, target.network.name);
  }
  const sentence = /^\p{Lu}/u.test(message) ? message : `${what} ${message}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Labels for the API's patches; other patches use the API's `fix`. */
const PATCH_LABELS: { [rule: string]: string } = {
  "text.length": composeCheckWords.cutToFit,
  "text.bytes": composeCheckWords.cutToFit,
  "youtube.angle_brackets": composeCheckWords.removeThem,
  "chat.required": composeCheckWords.onlyPlace,
  "chat.part": composeCheckWords.leaveSectionOut,
};

function fixesFor(found: CheckProblem, place: ProblemPlace, draft: Draft): ProblemFix[] {
  const { rule, apply, limit } = found;
  const fixes: ProblemFix[] = [];
  if (place.field === "content" && /^text\.(length|bytes)$/.test(rule)) fixes.push(...splitFixes(place));
  const [operation] = apply ?? [];
  if (operation && applyPatch(draft, place.target, operation)) {
    const most = typeof limit === "object" && !Array.isArray(limit) ? limit.max : undefined;
    const label =
      rule === "media.count" && most
        ? composeCheckWords.sendFirst(most)
        : (PATCH_LABELS[rule] ?? found.fix ?? composeCheckWords.fixIt);
    fixes.push({ label, change: (now) => applyPatch(now, place.target, operation) ?? now });
  }
  if (rule === "media.alt_text") fixes.push(...shortenAltTextFixes(place));
  if (rule === "format.unsupported") fixes.push(...otherFormatFixes(place));
  if (rule === "media.mixed") fixes.push(...oneKindFixes(place));
  if (rule === "text.required") fixes.push(...removePartFixes(place));
  if (rule === "media.ratio" && typeof found.measured === "number") fixes.push(...cropFixes(place, found.measured));
  fixes.push(...leaveFileOutFixes(place));
  return fixes.some((fix) => "change" in fix) || rule === "format.unsupported"
    ? fixes
    : [...fixes, ...goToFieldFixes(place, draft)];
}

/** The alt text belongs to the file for all accounts, so only a person can shorten it. */
function shortenAltTextFixes({ target, post, file }: ProblemPlace): ProblemFix[] {
  const found = target.posts[post]?.files[file ?? 0];
  return found ? [{ label: composeCheckWords.shortenAltText, goTo: altTextId(found.id) }] : [];
}

/** Leads to the field that a person must correct. */
function goToFieldFixes({ target, post, field }: ProblemPlace, draft: Draft): ProblemFix[] {
  if (field === "chatId") return [{ label: composeCheckWords.choosePlace, goTo: fieldId(target.key, "chat") }];
  if (target.network.settings.some(({ name }) => name === field)) {
    return [{ label: composeCheckWords.goTo(labelOf(target.network, field)), goTo: fieldId(target.key, field) }];
  }
  if (field === "content") {
    const parts = draft.own[target.key] ?? draft.parts;
    const part = parts[target.isJoined ? 0 : post];
    return part
      ? [{ label: composeCheckWords.goToText, goTo: partFieldId(target.isOwnText ? target.key : undefined, part.id) }]
      : [];
  }
  return field === "attachmentPaths" || field === "thumbnailPath"
    ? [{ label: composeCheckWords.goToFiles, goTo: FILES_ID }]
    : [];
}
