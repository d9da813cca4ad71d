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
  summary: "List posts with the same text",
  description:
    "Groups of posts that have not started, including drafts. The posts of a group share a text, ignoring spaces and capitals, on any accounts. Posts without text never match. The group with the newest post comes first.",
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
          "Only posts this close to another one of their group. A draft without a time counts as close to the earliest. Absent: any distance",
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
  async handle({ caller, query: { cursor, ...input } }) {
    const found = await listDuplicates(caller.ownerId, { ...input, before: cursor });
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
  summary: "Merge posts",
  description:
    "The remaining post keeps its ID, its time and what it says on its accounts. It gets what the others say on further accounts and destinations. The other posts are deleted, all in one transaction. Use `dryRun=true` first. If anything is added, all entries of `publications` and `posts` get new IDs.",
  scope: "posts.write",
  publishes: true,
  query: z.object({
    dryRun: z.enum(["true", "false"]).default("false").meta({ description: "Only show the result; store nothing" }),
  }),
  body: MergeInput,
  idempotency: "handler",
  answers: { 200: MergeReport },
  errorResponses: [
    { status: 400, when: "A field is missing or invalid", error: "keep must be one of ids" },
    {
      status: 400,
      when: "A network would reject the result",
      error: "publications[1].posts[0].content: X takes at most 280 weighted characters, this text has 312",
    },
    {
      status: 404,
      when: "One of the posts does not exist, or belongs to someone else; the answer is the same",
      error: "Posting schedule not found: 1012",
    },
    {
      status: 409,
      when: "One of the posts has started, or has ended",
      error: "Post 1012 is being published and can no longer be changed",
    },
    {
      status: 409,
      when: "Two posts say different things on one account or destination",
      error: "Posts 1007 and 1012 have different posts for account 42",
    },
    {
      status: 409,
      when: "One of the posts was changed in the meantime",
      error: "Post 1012 was just changed. Send the request again",
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
