import { createHash } from "node:crypto";
import { z } from "zod";
import { json } from "../../http/json";
import { exportSchedules, type ImportedRow, importSchedules, presentCsvImport } from "../../schedules";
import { csvDownload, readCsv } from "../body";
import { assertNotLockedOut } from "../caller";
import { postFilters } from "../page";
import { route } from "../route";
import { ImportReportView } from "../shapes";
import { exportedFileExample, importedFileExample, importReportExample } from "./examples";

const yesOrNo = z.enum(["true", "false"]).default("false");

export const importPostsRoute = route({
  method: "post",
  path: "/v1/posts/import",
  summary: "Import posts from a CSV file",
  description:
    "`text/csv` in UTF-8, at most 500 rows and 2 MB; [the columns](/docs/csv). Every row gets all checks of creation. All rows are created, or none if one is invalid; `skipInvalid=true` leaves invalid rows out. Use `dryRun=true` first. A row that was created in the last 24 hours is not created again, unless you send an `Idempotency-Key`, which then covers the whole request.",
  scope: "posts.write",
  publishes: true,
  csv: z.string().meta({ description: "The file" }),
  query: z.object({
    dryRun: yesOrNo.meta({ description: "Only check; store nothing" }),
    skipInvalid: yesOrNo.meta({ description: "Leave out invalid rows and create the others" }),
  }),
  idempotency: "handler",
  answers: { 200: ImportReportView, 201: ImportReportView },
  errorResponses: [
    {
      status: 400,
      when: "The file is not CSV in UTF-8, has an unknown column, no rows, or more than 500",
      error: "The file has more than 500 rows: the maximum is 500",
    },
    {
      status: 400,
      when: "A row is invalid, so nothing was created",
      error: "row 2, text: X takes at most 280 weighted characters, this text has 312",
    },
    { status: 413, when: "The file is larger than 2 MB", error: "The file is too large: the maximum is 2 MB" },
    { status: 415, when: "The body is not text/csv", error: "Content-Type must be text/csv" },
  ],
  examples: [{ query: { dryRun: "true" }, body: importedFileExample, answer: importReportExample }],
  async handle({ caller, query, request, ticketFor }) {
    const bytes = await readCsv(request);
    await assertNotLockedOut(request.headers);
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
  summary: "Export posts as a CSV file",
  description:
    "`text/csv` in the format of `POST /v1/posts/import`, newest first. A cell that a spreadsheet would run as a formula starts with an apostrophe, which the import removes.",
  scope: "posts.read",
  query: postFilters,
  answers: { 200: z.string() },
  answerType: "text/csv",
  examples: [{ query: { status: "SCHEDULED", from: "2031-05-01T00:00:00Z" }, answer: exportedFileExample }],
  async handle({ caller, query }) {
    return csvDownload("carillon-posts.csv", exportSchedules(caller.ownerId, query));
  },
});
