import { z } from "zod";
import { json } from "../../http/json";
import { presentRepeats, RepeatInput, type RepeatResult, repeatSchedule } from "../../schedules";
import { route } from "../route";
import { IdParam, idOf, RepeatReport } from "../shapes";
import { repeatReportExample } from "./examples";

export const repeatPostRoute = route({
  method: "post",
  path: "/v1/posts/{id}/repeat",
  summary: "Creates a posting schedule again at many dates",
  description:
    "Every day, every week on chosen days, or every month on a day, at a time of a zone's wall clock; at most 100 dates, after the schedule's own time and never in the past. Ask with `dryRun=true` first: the same answer, and nothing stored. What is created are schedules like any other, all of them in one go or none, and the one that is repeated stays as it is. With an `Idempotency-Key` it is done once.",
  scope: "posts.write",
  params: IdParam,
  query: z.object({
    dryRun: z.enum(["true", "false"]).default("false").meta({ description: "Only show the dates; nothing is stored" }),
  }),
  body: RepeatInput,
  idempotency: "handler",
  answers: { 200: RepeatReport, 201: RepeatReport },
  refusals: [
    { status: 400, when: "A field is missing or wrong", error: "count must be at most 100" },
    {
      status: 400,
      when: "There is no such date, or there are more than 100",
      error: "until is before the first date, 2030-01-02",
    },
    {
      status: 400,
      when: "A network would refuse the post; nothing was created",
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
