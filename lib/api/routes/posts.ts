import { z } from "zod";
import { BadRequest } from "../../errors";
import { platformValues } from "../../platforms";
import {
  createSchedule,
  deleteSchedule,
  FlatSchedule,
  getReceipt,
  getSchedule,
  isFlat,
  listSchedules,
  mixedBody,
  NewSchedule,
  nested,
  presentPreview,
  presentReceipt,
  presentSchedule,
  presentVerdict,
  previewSchedule,
  publishingState,
  retrySchedule,
  updateSchedule,
  validateSchedule,
} from "../../schedules";
import { parseInstant } from "../../time";
import { parse } from "../body";
import { cursorParam, limitParam, pageOf } from "../page";
import { route } from "../route";
import { IdParam, idOf, PreviewView, ReceiptView, ScheduleList, ScheduleStatus, ScheduleView, Verdict } from "./shapes";

const WHAT = "Posting schedule";

/** Either body of a schedule, as the nested one. */
async function inputOf(ownerId: string, body: object): Promise<NewSchedule> {
  const flat = isFlat(body);
  if (flat === undefined) throw new BadRequest(mixedBody);
  return flat ? nested(ownerId, parse(FlatSchedule, body)) : parse(NewSchedule, body);
}

export const createPostRoute = route({
  method: "post",
  path: "/v1/posts",
  summary: "Creates a posting schedule, from the nested body or from a partner's flat one",
  scope: "posts.write",
  body: z.looseObject({}),
  answers: { 201: ScheduleView },
  async handle({ caller, body }) {
    const schedule = await createSchedule(caller.ownerId, await inputOf(caller.ownerId, body));
    return Response.json(presentSchedule(schedule), { status: 201 });
  },
});

export const validatePostRoute = route({
  method: "post",
  path: "/v1/posts/validate",
  summary: "Runs every check of creation and stores nothing",
  scope: "posts.write",
  body: z.looseObject({}),
  idempotency: "none",
  answers: { 200: Verdict },
  async handle({ caller, body }) {
    return Response.json(presentVerdict(await validateSchedule(caller.ownerId, body)));
  },
});

const instant = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at) return at;
  context.addIssue({ code: "custom", message: "is not an ISO 8601 date and time that exists" });
  return z.NEVER;
});

export const listPostsRoute = route({
  method: "get",
  path: "/v1/posts",
  summary: "The user's posting schedules, newest first; from and to bound scheduledTime, both included",
  scope: "posts.read",
  query: z.object({
    status: ScheduleStatus.optional(),
    platform: z.enum(platformValues).optional(),
    accountId: z.string().min(1).max(255).optional(),
    from: instant.optional(),
    to: instant.optional(),
    limit: limitParam,
    cursor: cursorParam(z.number().int().positive().max(Number.MAX_SAFE_INTEGER)),
  }),
  answers: { 200: ScheduleList },
  async handle({ caller, query: { cursor, ...filters } }) {
    const page = await listSchedules(caller.ownerId, { ...filters, before: cursor });
    return Response.json(pageOf(page, presentSchedule));
  },
});

export const getPostRoute = route({
  method: "get",
  path: "/v1/posts/{id}",
  summary: "One posting schedule with the state of every part",
  scope: "posts.read",
  params: IdParam,
  answers: { 200: ScheduleView },
  async handle({ caller, params }) {
    return Response.json(presentSchedule(await getSchedule(caller.ownerId, idOf(WHAT, params.id))));
  },
});

export const receiptRoute = route({
  method: "get",
  path: "/v1/posts/{id}/receipt",
  summary: "What was tried, when, what the network answered, and whether and when it will be tried again",
  scope: "posts.read",
  params: IdParam,
  answers: { 200: ReceiptView },
  async handle({ caller, params }) {
    const receipt = await getReceipt(caller.ownerId, idOf(WHAT, params.id));
    return Response.json(presentReceipt(receipt, await publishingState()));
  },
});

export const previewRoute = route({
  method: "get",
  path: "/v1/posts/{id}/preview",
  summary: "The requests that each network would be sent, secrets removed; nothing is sent",
  scope: "posts.read",
  params: IdParam,
  answers: { 200: PreviewView },
  async handle({ caller, params }) {
    return Response.json(presentPreview(await previewSchedule(caller.ownerId, idOf(WHAT, params.id))));
  },
});

export const updatePostRoute = route({
  method: "put",
  path: "/v1/posts/{id}",
  summary: "Replaces a posting schedule that has not started; its publications and posts get new ids",
  scope: "posts.write",
  params: IdParam,
  body: z.looseObject({}),
  answers: { 200: ScheduleView },
  async handle({ caller, params, body }) {
    const id = idOf(WHAT, params.id);
    await getSchedule(caller.ownerId, id); // a foreign one is absent whatever the body holds
    const schedule = await updateSchedule(caller.ownerId, id, await inputOf(caller.ownerId, body));
    return Response.json(presentSchedule(schedule));
  },
});

export const retryPostRoute = route({
  method: "post",
  path: "/v1/posts/{id}/retry",
  summary: "Tries the failed publications again; what may be live is looked up, never sent blindly",
  scope: "posts.write",
  params: IdParam,
  answers: { 200: ScheduleView },
  async handle({ caller, params }) {
    return Response.json(presentSchedule(await retrySchedule(caller.ownerId, idOf(WHAT, params.id))));
  },
});

export const deletePostRoute = route({
  method: "delete",
  path: "/v1/posts/{id}",
  summary: "Removes a posting schedule that is not being published",
  scope: "posts.write",
  params: IdParam,
  answers: { 204: "Removed" },
  async handle({ caller, params }) {
    await deleteSchedule(caller.ownerId, idOf(WHAT, params.id));
    return new Response(null, { status: 204 });
  },
});
