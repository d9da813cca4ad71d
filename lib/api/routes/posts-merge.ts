import { z } from "zod";
import { json } from "../../http/json";
import {
  listDuplicates,
  MergeInput,
  type MergeResult,
  mergeSchedules,
  presentMerge,
  presentSchedule,
} from "../../schedules";
import { cursorParam, limitParam, presentPage } from "../page";
import { route } from "../route";
import { DuplicateList, MergeReport } from "../shapes";
import { mergeReportExample, newMergeExample, scheduleExample } from "./examples";

export const listDuplicatesRoute = route({
  method: "get",
  path: "/v1/posts/duplicates",
  summary: "Posting schedules that say the same",
  description:
    "Those that have not started, drafts too, in groups: in a group each has a text in common with another, but for spaces and capitals, on whatever account. Pictures without words are never the same. The group with the newest schedule comes first.",
  scope: "posts.read",
  query: z.object({
    limit: limitParam,
    cursor: cursorParam(z.number().int().positive().max(Number.MAX_SAFE_INTEGER)),
    withinHours: z
      .string()
      .regex(/^\d{1,4}$/, "must be a whole number from 1 to 8784")
      .transform(Number)
      .pipe(z.number().min(1).max(8784))
      .optional()
      .meta({
        description:
          "Only those that go out so near another of their group; a draft without a time is near the soonest. Absent: however far apart",
        ...{ type: "integer", minimum: 1, maximum: 8784, pattern: undefined },
      }),
  }),
  answers: { 200: DuplicateList },
  examples: [
    {
      query: { withinHours: "24" },
      answer: {
        items: [{ schedules: [scheduleExample, { ...scheduleExample, id: 1012 }] }],
        nextCursor: null,
        isComplete: true,
      },
    },
  ],
  async handle({ caller, query: { cursor, ...wish } }) {
    const found = await listDuplicates(caller.ownerId, { ...wish, before: cursor });
    type Group = (typeof found.items)[number];
    const present = ({ schedules, more }: Group) => ({
      schedules: schedules.map(presentSchedule),
      ...(more > 0 ? { more } : {}),
    });
    return json({ ...presentPage(found, present), isComplete: found.isComplete });
  },
});

export const mergePostsRoute = route({
  method: "post",
  path: "/v1/posts/merge",
  summary: "Makes one posting schedule of several",
  description:
    "The one that stays keeps its id, its time and its publications, and takes those of the others for accounts and destinations that it has none for, as they are. What another says already on the same account is dropped, and the others are removed as `DELETE` does it: all in one go, or nothing. Ask with `dryRun=true` first: it says what becomes of each publication and what is in the way, and stores nothing. With an `Idempotency-Key` it is done once. Where something is added, publications and posts get new ids.",
  scope: "posts.write",
  query: z.object({
    dryRun: z.enum(["true", "false"]).default("false").meta({ description: "Only show what would come of it" }),
  }),
  body: MergeInput,
  idempotency: "handler",
  answers: { 200: MergeReport },
  refusals: [
    { status: 400, when: "A field is missing or wrong", error: "keep must be one of ids" },
    {
      status: 400,
      when: "A network would refuse what comes of it",
      error: "publications[1].posts[0].content: X takes at most 280 weighted characters, this text has 312",
    },
    {
      status: 404,
      when: "One of them does not exist, or belongs to somebody else; the answer is the same",
      error: "Posting schedule not found: 1012",
    },
    {
      status: 409,
      when: "A publication of one of them has begun, or it is over",
      error: "Posting schedule 1012 is being published and can no longer be changed",
    },
    {
      status: 409,
      when: "Two of them say different things on one account, or at one destination of it",
      error: "Posting schedules 1007 and 1012 have different posts for account 42",
    },
    {
      status: 409,
      when: "One of them was changed meanwhile",
      error: "Posting schedule 1012 was just changed. Send the request again",
    },
  ],
  examples: [{ query: { dryRun: "true" }, body: newMergeExample, answer: mergeReportExample }],
  async handle({ caller, query, body, ticketFor }) {
    const dryRun = query.dryRun === "true";
    const ticket = dryRun ? undefined : ticketFor(body);
    const of = (merged: MergeResult) => ({ status: 200, body: presentMerge(merged) });
    const first = ticket && { ticket, of };
    return json(of(await mergeSchedules(caller.ownerId, body, { dryRun, first })).body);
  },
});
