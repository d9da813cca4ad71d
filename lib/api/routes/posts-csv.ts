import { createHash } from "node:crypto";
import { z } from "zod";
import { json } from "../../http/json";
import { exportSchedules, type ImportedRow, importSchedules, presentCsvImport } from "../../schedules";
import { csvDownload, readCsv } from "../body";
import { postFilters } from "../page";
import { route } from "../route";
import { ImportReportView } from "../shapes";
import { exportedFileExample, importedFileExample, importReportExample } from "./examples";

const yesOrNo = z.enum(["true", "false"]).default("false");

export const importPostsRoute = route({
  method: "post",
  path: "/v1/posts/import",
  summary: "Creates a posting schedule for each row of a file",
  description:
    "`text/csv` in UTF-8 with headings in its first row, at most 500 rows and 2 MB; [what the columns mean](/docs/csv) is told apart. Every row is checked as creation checks it. All are created in one go, or none: where a row is wrong it is 400 with what is wrong in each, unless `skipInvalid=true` leaves those out. Ask with `dryRun=true` first: the same answer with every problem as data, and nothing stored. A row that was created in the last 24 hours is `existing` and not created again, so that a file which is sent twice, or sent again with some rows mended, makes each post once; with an `Idempotency-Key` the request as a whole is done once by that key instead, and nothing else is compared.",
  scope: "posts.write",
  csv: z.string().meta({ description: "The file" }),
  query: z.object({
    dryRun: yesOrNo.meta({ description: "Only check; nothing is stored" }),
    skipInvalid: yesOrNo.meta({ description: "Leave out rows that are wrong, and create the others" }),
  }),
  idempotency: "handler",
  answers: { 200: ImportReportView, 201: ImportReportView },
  refusals: [
    {
      status: 400,
      when: "The file is not CSV in UTF-8, has an unknown column, no row or more than 500",
      error: "The file has 501 rows: the maximum is 500",
    },
    {
      status: 400,
      when: "Rows are wrong and are not to be left out; nothing was created",
      error: "row 2, text: X takes at most 280 weighted characters, this text has 312",
    },
    { status: 413, when: "The file is larger than 2 MB", error: "The file is too large: the maximum is 2 MB" },
    { status: 415, when: "The body is not text/csv", error: "Content-Type must be text/csv" },
  ],
  examples: [{ query: { dryRun: "true" }, body: importedFileExample, answer: importReportExample }],
  async handle({ caller, query, request, ticketFor }) {
    const bytes = await readCsv(request);
    const [dryRun, skipInvalid] = [query.dryRun === "true", query.skipInvalid === "true"];
    const ticket = dryRun ? undefined : ticketFor([createHash("sha256").update(bytes).digest("hex"), skipInvalid]);
    const of = (rows: ImportedRow[]) => {
      const body = presentCsvImport(rows, dryRun);
      return { status: body.counts.created > 0 ? 201 : 200, body };
    };
    const first = ticket && { ticket, of };
    const { status, body } = of(await importSchedules(caller.ownerId, bytes, { dryRun, skipInvalid, first }));
    return json(body, { status });
  },
});

export const exportPostsRoute = route({
  method: "get",
  path: "/v1/posts/export",
  summary: "The user's posting schedules as a file",
  description:
    "`text/csv` as `POST /v1/posts/import` takes it, newest first. A cell that a spreadsheet would run as a formula begins with an apostrophe, which importing takes away again.",
  scope: "posts.read",
  query: postFilters,
  answers: { 200: z.string() },
  answerType: "text/csv",
  examples: [{ query: { status: "SCHEDULED", from: "2031-05-01T00:00:00Z" }, answer: exportedFileExample }],
  async handle({ caller, query }) {
    return csvDownload("carillon-posts.csv", exportSchedules(caller.ownerId, query));
  },
});
