import { listAccounts } from "../../accounts";
import { refusalsIn } from "../../errors";
import { type Examined, examineBy } from "../check/check-input";
import { factsOf } from "../check/facts";
import { NewSchedule } from "../input";
import { problemsBy, soundIn } from "../validate";
import { inColumn, type RowProblem } from "./problem";
import { type ReadRow, type RowBody, readRow } from "./row";
import { tableOf } from "./table";

/** A row that was checked; `examined` where it can be created. */
export type CheckedRow = {
  number: number;
  /** What stands in its column `text`. */
  text?: string;
  body: RowBody;
  problems: RowProblem[];
  examined?: Examined;
};

/**
 * The rows of a file, each with everything that creating it would be refused for. What the checks need is read once for all.
 * @throws BadRequest where it is no file of schedules at all
 */
export async function checkRows(ownerId: string, bytes: Buffer): Promise<CheckedRow[]> {
  const table = tableOf(bytes);
  const accounts = await listAccounts(ownerId);
  const rows = table.map((row) => readRow(row, accounts));
  const sound = rows.map(({ body }) => soundIn(body));
  const facts = await factsOf(
    ownerId,
    sound.flatMap(({ publications }) => publications),
    { isDraft: sound.every(({ isDraft }) => isDraft) },
  );
  return rows.map((row) => {
    const parsed = row.problems.length === 0 ? NewSchedule.safeParse(row.body) : undefined;
    const examined = parsed?.success ? examineBy(facts, parsed.data) : undefined;
    const problems = allProblems(row, examined?.problems ?? problemsBy(facts, row.body));
    const isRight = refusalsIn(problems).length === 0;
    const { number, cells } = row.row;
    return { number, text: cells.get("text"), body: row.body, problems, examined: isRight ? examined : undefined };
  });
}

/** What the row itself said of a column, the checks of what came of it would only repeat. */
function allProblems({ row, problems }: ReadRow, found: Examined["problems"]): RowProblem[] {
  const said = new Set(problems.flatMap(({ column }) => causes[column ?? ""] ?? [column]));
  return [...problems, ...found.map((problem) => inColumn(problem, row)).filter(({ column }) => !said.has(column))];
}

/** Where a column was not understood, others lack something only for that reason. */
const causes: { [column: string]: string[] } = Object.fromEntries(
  ["date", "time", "timeZone", "scheduledTime"].map((name) => [name, ["date", "scheduledTime"]]),
);
