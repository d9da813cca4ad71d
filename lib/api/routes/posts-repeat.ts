import { z } from "zod";
import { json } from "../../http/json";
import { presentRepeats, RepeatInput, type RepeatResult, repeatSchedule } from "../../schedules";
import { route } from "../route";
import { IdParam, idOf, RepeatReport } from "../shapes";
import { repeatReportExample } from "./examples";

export const repeatPostRoute = route({
  method: "post",
  path: "/v1/posts/{id}/repeat",
  summary: "Repeat a post on many dates",
  description:
    "Daily, weekly on chosen days, or monthly on a day, at a local time; at most 100 dates, after the post's own time and never in the past. Use `dryRun=true` first. All posts are created in one transaction, and the repeated one does not change.",
  scope: "posts.write",
  publishes: true,
  params: IdParam,
  query: z.object({
    dryRun: z.enum(["true", "false"]).default("false").meta({ description: "Only show the dates; store nothing" }),
  }),
  body: RepeatInput,
  idempotency: "handler",
  answers: { 200: RepeatReport, 201: RepeatReport },
  errorResponses: [
    { status: 400, when: "A field is missing or invalid", error: "count must be at most 100" },
    {
      status: 400,
      when: "There are no dates, or more than 100",
      error: "until is before the first date, 2030-01-02",
    },
    {
      status: 400,
      when: "A network would reject the post, so nothing was created",
      error: "publications[0].posts[0].content: X takes at most 280 weighted characters, this text has 312",
    },
  ],
  examples: [
    {
      params: { id: "1007" },
      query: { dryRun: "true" },
      body: { every: "MONTH", dayOfMonth: 31, time: "09:30", timeZone: "Europe/Berlin", count: 2 },
      answer: repeatReportExample,
    },
  ],
  async handle({ caller, params, query, body, ticketFor }) {
    const dryRun = query.dryRun === "true";
    const ticket = dryRun ? undefined : ticketFor([params, body]);
    const of = (repeated: RepeatResult) => ({ status: dryRun ? 200 : 201, body: presentRepeats(repeated, dryRun) });
    const first = ticket && { ticket, of };
    const id = idOf("Posting schedule", params.id);
    const { status, body: report } = of(await repeatSchedule(caller.ownerId, id, body, { dryRun, first }));
    return json(report, { status });
  },
});
