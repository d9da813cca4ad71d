/** A refused submission's problems, each beside what it concerns. */
export type Refusal = { general: string[]; time: string[]; byAccount: { [accountKey: string]: string[] | undefined } };

const ABOUT_ACCOUNT = /^publications\[(\d+)\]\.?/;

/** Sorts the API's joined problems; `accountKeys` are in the order of the request's publications. */
export function refusalOf(message: string, accountKeys: string[]): Refusal {
  const refusal: Refusal = { general: [], time: [], byAccount: {} };
  for (const problem of problemsIn(message)) {
    const key = accountKeys[Number(ABOUT_ACCOUNT.exec(problem)?.[1])];
    if (key) refusal.byAccount[key] = [...(refusal.byAccount[key] ?? []), readable(problem)];
    else if (problem.startsWith("scheduledTime")) refusal.time.push(readable(problem));
    else refusal.general.push(problem);
  }
  return refusal;
}

/** Problems begin with a path; a piece that does not is the rest of the sentence before it. */
function problemsIn(message: string): string[] {
  return message.split("; ").reduce<string[]>((all, piece) => {
    const isNew = all.length === 0 || /^(publications\[|scheduledTime|isDraft)/.test(piece);
    return isNew ? [...all, piece] : [...all.slice(0, -1), `${all.at(-1)}; ${piece}`];
  }, []);
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
  const text = colon ? rest : `${field} ${rest}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
