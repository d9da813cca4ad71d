import { z } from "zod";
import { BadRequest, blockingProblems } from "../../errors";
import { entityTagOf } from "../../http/headers";
import { json } from "../../http/json";
import {
  createSchedule,
  deleteSchedule,
  FlatSchedule,
  getReceipt,
  getSchedule,
  isFlat,
  listSchedules,
  mixedBodyProblem,
  NewSchedule,
  presentPreview,
  presentReceipt,
  presentSchedule,
  presentValidation,
  previewSchedule,
  publishingPauseNow,
  retrySchedule,
  type ShownSchedule,
  updateSchedule,
  validateSchedule,
} from "../../schedules";
import { parse } from "../body";
import { cursorParam, limitParam, postFilters, presentPage } from "../page";
import { route } from "../route";
import { IdParam, idOf, PreviewView, ReceiptView, ScheduleList, ScheduleView, ValidationView } from "../shapes";
import {
  flatScheduleExample,
  newScheduleExample,
  previewExample,
  publishedScheduleExample,
  receiptExample,
  scheduleExample,
} from "./examples";

const WHAT = "Posting schedule";

/** What creating, changing and validating take alike. */
const bodies = [NewSchedule, FlatSchedule];
const invalid = {
  status: 400,
  when: "Fields are missing or wrong, or a network would refuse the post; all problems at once",
  error: "publications[0].posts[0].content: X takes at most 280 weighted characters, this text has 312",
};
const ONE = { id: "1007" };

/** A schedule as it is answered, with its tag. */
function answered(schedule: ShownSchedule, status = 200): Response {
  const body = presentSchedule(schedule);
  return json(body, { status, headers: { etag: entityTagOf(body) } });
}

/**
 * Either body of a schedule.
 * @throws BadRequest with what validating the body finds: a wrong shape hides nothing that is wrong besides
 */
async function inputOf(ownerId: string, body: object): Promise<NewSchedule | FlatSchedule> {
  try {
    return shapedOf(body);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    const refusals = blockingProblems(await validateSchedule(ownerId, body));
    throw refusals.length > 0 ? new BadRequest(...refusals) : error;
  }
}

function shapedOf(body: object): NewSchedule | FlatSchedule {
  const flat = isFlat(body);
  if (flat === undefined) throw new BadRequest(mixedBodyProblem);
  return flat ? parse(FlatSchedule, body) : parse(NewSchedule, body);
}

export const createPostRoute = route({
  method: "post",
  path: "/v1/posts",
  summary: "Creates a posting schedule",
  description:
    "Everything that a network would refuse and that can be known now is checked now, and all problems are answered at once. A draft (`isDraft`) is checked for its references only and may have no time. Up to five minutes in the past means now. The flat body is the short form for one account and one post.",
  scope: "posts.write",
  body: z.looseObject({}),
  bodies,
  idempotency: "verb",
  isTagged: true,
  answers: { 201: ScheduleView },
  refusals: [
    invalid,
    { status: 409, when: "A file was removed meanwhile", error: "A file was just deleted. Send the request again" },
  ],
  examples: [
    { title: "One post on one account", body: newScheduleExample, answer: scheduleExample },
    { title: "The flat body", body: flatScheduleExample },
  ],
  async handle({ caller, body, ticket }) {
    const input = await inputOf(caller.ownerId, body);
    const of = (schedule: ShownSchedule) => ({ status: 201, body: presentSchedule(schedule) });
    const schedule = await createSchedule(caller.ownerId, input, ticket && { ticket, of });
    return answered(schedule, 201);
  },
});

export const validatePostRoute = route({
  method: "post",
  path: "/v1/posts/validate",
  summary: "Checks a posting schedule",
  description:
    "Runs every check of creation and stores nothing. What is wrong is an answer here, not an error. Where a problem can be mended without asking anybody, `apply` is a JSON Patch (RFC 6902) of the body that makes it go away: a text is cut to its limit, surplus files are left out, a wrong `type` is replaced, the only destination is chosen, a time that is over becomes now.",
  scope: "posts.write",
  body: z.looseObject({}),
  bodies: [...bodies, z.looseObject({}).meta({ description: "Anything else: what is wrong with it is the answer" })],
  idempotency: "none",
  answers: { 200: ValidationView },
  examples: [
    {
      body: newScheduleExample,
      answer: {
        valid: false,
        problems: [
          {
            path: "publications[0].platformSettings.type",
            message: "must be TWITTER or X_TWITTER for this X account, not TELEGRAM",
            rule: "settings.type",
            measured: "TELEGRAM",
            limit: ["TWITTER", "X_TWITTER"],
            fix: "Use TWITTER",
            apply: [{ op: "replace", path: "/publications/0/platformSettings/type", value: "TWITTER" }],
          },
        ],
      },
    },
  ],
  async handle({ caller, body }) {
    return json(presentValidation(await validateSchedule(caller.ownerId, body)));
  },
});

export const listPostsRoute = route({
  method: "get",
  path: "/v1/posts",
  summary: "The user's posting schedules, newest first",
  description: "`from` and `to` bound `scheduledTime`, both included; a draft without a time is outside of any bound.",
  scope: "posts.read",
  query: postFilters.extend({
    limit: limitParam,
    cursor: cursorParam(z.number().int().positive().max(Number.MAX_SAFE_INTEGER)),
  }),
  answers: { 200: ScheduleList },
  examples: [
    {
      query: { status: "COMPLETED", text: "bells", from: "2031-05-01T00:00:00Z", limit: "20" },
      answer: { items: [publishedScheduleExample], nextCursor: "MTAwNw" },
    },
  ],
  async handle({ caller, query: { cursor, ...filters } }) {
    const page = await listSchedules(caller.ownerId, { ...filters, before: cursor });
    return json(presentPage(page, presentSchedule));
  },
});

export const getPostRoute = route({
  method: "get",
  path: "/v1/posts/{id}",
  summary: "One posting schedule with the state of every part",
  scope: "posts.read",
  params: IdParam,
  isTagged: true,
  answers: { 200: ScheduleView },
  examples: [{ params: ONE, answer: publishedScheduleExample }],
  async handle({ caller, params }) {
    return answered(await getSchedule(caller.ownerId, idOf(WHAT, params.id)));
  },
});

export const getPostReceiptRoute = route({
  method: "get",
  path: "/v1/posts/{id}/receipt",
  summary: "What became of a posting schedule",
  description:
    "For each publication its story: what was tried and when, what the network answered, and whether and when it is tried or looked at again.",
  scope: "posts.read",
  params: IdParam,
  answers: { 200: ReceiptView },
  examples: [{ params: ONE, answer: receiptExample }],
  async handle({ caller, params }) {
    const receipt = await getReceipt(caller.ownerId, idOf(WHAT, params.id));
    return Response.json(presentReceipt(receipt, await publishingPauseNow()));
  },
});

export const previewPostRoute = route({
  method: "get",
  path: "/v1/posts/{id}/preview",
  summary: "What each network would be sent",
  description:
    "The very requests, in order, with `***` for secrets and, in braces, what only the network will know. Nothing is sent by it.",
  scope: "posts.read",
  params: IdParam,
  answers: { 200: PreviewView },
  examples: [{ params: ONE, answer: previewExample }],
  async handle({ caller, params }) {
    return Response.json(presentPreview(await previewSchedule(caller.ownerId, idOf(WHAT, params.id))));
  },
});

export const updatePostRoute = route({
  method: "put",
  path: "/v1/posts/{id}",
  summary: "Replaces a posting schedule",
  description:
    "Takes the bodies of creation. Publications and posts get new ids. Once a publication has begun it is 409. With an `If-Match` nothing that was changed since you read it is written over: of several such requests with the same one, one is 200 and the others 412.",
  scope: "posts.write",
  params: IdParam,
  headers: z.object({
    "If-Match": z.string().optional().meta({
      description: "The `ETag` of the version that this was written for; `*` for any",
    }),
  }),
  body: z.looseObject({}),
  bodies,
  isTagged: true,
  answers: { 200: ScheduleView },
  refusals: [
    invalid,
    {
      status: 412,
      when: "It is not what `If-Match` names any more: somebody has changed it meanwhile",
      error: "Posting schedule 1007 was changed meanwhile; read it again before you change it",
    },
    {
      status: 409,
      when: "Its publication has begun, or it is over",
      error: "Posting schedule 1007 is being published and can no longer be changed",
    },
  ],
  examples: [{ params: ONE, body: newScheduleExample, answer: scheduleExample }],
  async handle({ caller, params, body, request }) {
    const id = idOf(WHAT, params.id);
    await getSchedule(caller.ownerId, id); // a foreign one is absent whatever the body holds
    const ifMatch = request.headers.get("if-match") ?? undefined;
    return answered(await updateSchedule(caller.ownerId, id, await inputOf(caller.ownerId, body), ifMatch));
  },
});

export const retryPostRoute = route({
  method: "post",
  path: "/v1/posts/{id}/retry",
  summary: "Tries failed publications again",
  description:
    "One new attempt at what is `FAILED` or `UNKNOWN`; of parallel calls one is 200 and the others 409. A post whose outcome is `UNKNOWN` is looked up on its network and never sent blindly: where the network cannot tell, it stays `UNKNOWN`.",
  scope: "posts.write",
  params: IdParam,
  isTagged: true,
  answers: { 200: ScheduleView },
  refusals: [
    {
      status: 409,
      when: "Nothing of it has failed, or it is being published",
      error: "Posting schedule 1007 has no failed publication to retry",
    },
  ],
  examples: [{ params: ONE, answer: { ...scheduleExample, overallStatus: "IN_PROGRESS" } }],
  async handle({ caller, params }) {
    return answered(await retrySchedule(caller.ownerId, idOf(WHAT, params.id)));
  },
});

export const deletePostRoute = route({
  method: "delete",
  path: "/v1/posts/{id}",
  summary: "Removes a posting schedule",
  description: "What is out on a network already stays there.",
  scope: "posts.write",
  params: IdParam,
  answers: { 204: "Removed" },
  refusals: [
    {
      status: 409,
      when: "It is being published",
      error: "Posting schedule 1007 is being published and can no longer be deleted",
    },
  ],
  examples: [{ params: ONE }],
  async handle({ caller, params }) {
    await deleteSchedule(caller.ownerId, idOf(WHAT, params.id));
    return new Response(null, { status: 204 });
  },
});
