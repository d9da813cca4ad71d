import { z } from "zod";
import { countProblems, type FieldProblem } from "./limits";
import { textLength } from "./text/count";

/** X and Threads have the same limits for polls. */
const OPTIONS = { min: 2, max: 4 };
const MAX_LENGTH = 25;

export const pollOptions = z
  .array(z.string())
  .optional()
  .meta({ description: "The options of a poll: 2 to 4, each with 1 to 25 characters. Only for a post without media" });

type PollPost = { settings: { pollOptions?: string[] }; media: unknown[] };

/**
 * Checks the options of a poll, and that nothing is attached to its post.
 * @param others settings that cannot be combined with a poll, and are set
 */
export function pollProblems(
  network: string,
  { settings: { pollOptions: options = [] }, media }: PollPost,
  others: string[],
  source: string,
): FieldProblem[] {
  if (options.length === 0) return [];
  const at = "platformSettings.pollOptions";
  const lengths = options.map((option) => textLength("code points", option.trim()));
  const wrong = lengths.find((length) => length < 1 || length > MAX_LENGTH);
  const problems = countProblems(network, "pollOptions", options, OPTIONS, source);
  if (wrong !== undefined) {
    const message = `${network} takes 1 to ${MAX_LENGTH} characters in an option of a poll, one here has ${wrong}`;
    const limit = { min: 1, max: MAX_LENGTH };
    problems.push({ at, message, rule: "poll.length", measured: wrong, limit, source, fix: "Change the option" });
  }
  const [other] = media.length > 0 ? ["attachments"] : others;
  if (other) {
    const message = `${network} does not combine a poll with ${other}`;
    const change = { op: "remove" } as const;
    problems.push({ at, message, rule: "poll.alone", source, fix: `Remove the poll, or ${other}`, change });
  }
  return problems;
}
