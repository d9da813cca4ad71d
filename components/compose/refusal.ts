import { words } from "./words";

/** A refused submission's problems, each beside what it concerns. */
export type Refusal = { general: string[]; time: string[]; byAccount: { [accountKey: string]: string[] | undefined } };

const ABOUT_ACCOUNT = /^publications\[(\d+)\]/;
/** Each problem begins with a path; a semicolon before anything else belongs to the sentence. */
const BETWEEN_PROBLEMS = /; (?=publications\[|scheduledTime|isDraft)/;

/** Sorts the API's joined problems; `accountKeys` are in the order of the request's publications. */
export function refusalOf(message: string, accountKeys: string[]): Refusal {
  const refusal: Refusal = { general: [], time: [], byAccount: {} };
  for (const problem of message.split(BETWEEN_PROBLEMS)) {
    const key = accountKeys[Number(ABOUT_ACCOUNT.exec(problem)?.[1])];
    if (key) refusal.byAccount[key] = [...(refusal.byAccount[key] ?? []), readable(problem)];
    else if (problem.startsWith("scheduledTime")) refusal.time.push(readable(problem));
    else refusal.general.push(problem);
  }
  return refusal;
}

/** Without the path where a sentence follows it (`…attachmentPaths: X takes …`), with its last word where none does. */
function readable(problem: string): string {
  const [, path = "", colon, rest = ""] = /^([\w.[\]]+)(:?)\s+(.*)$/s.exec(problem) ?? [];
  if (rest === "") return problem;
  const field =
    path
      .split(".")
      .at(-1)
      ?.replace(/\[\d+\]$/, "") ?? "";
  return colon ? rest.charAt(0).toUpperCase() + rest.slice(1) : `${words(field)} ${rest}`;
}
