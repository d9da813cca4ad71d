import { z } from "zod";
import { AccessDenied, BadRequest, blockingProblems, NotFound } from "../../errors";
import { json } from "../../http/json";
import {
  ApprovalInput,
  approveSchedule,
  countSchedules,
  createSchedule,
  deleteSchedule,
  FlatSchedule,
  getReceipt,
  getSchedule,
  isFlat,
  leaveUnpublished,
  listSchedules,
  listSchedulesByTime,
  MAX_COUNTED,
  mixedBodyProblem,
  NewSchedule,
  presentCreated,
  presentPreview,
  presentReceipt,
  presentSchedule,
  presentValidation,
  previewSchedule,
  publishingPauseNow,
  ReadBackNotPossible,
  retrySchedule,
  type ShownSchedule,
  scheduleTag,
  updateSchedule,
  validateSchedule,
} from "../../schedules";
import { isDatabaseInstant } from "../../time/instant";
import { parse } from "../body";
import type { Caller } from "../caller";
import { cursorParam, limitParam, postFilters, presentPage } from "../page";
import { route } from "../route";
import {
  CreatedScheduleView,
  IdParam,
  idOf,
  PostCountsView,
  PreviewView,
  ReceiptView,
  ScheduleList,
  ScheduleStatusView,
  ScheduleView,
  ValidationView,
} from "../shapes";
import {
  flatScheduleExample,
  newScheduleExample,
  previewExample,
  proposalExample,
  publishedScheduleExample,
  receiptExample,
  scheduleExample,
} from "./examples";

const WHAT = "Posting schedule";

/** The bodies and errors shared by create, update and validate. */
const bodies = [NewSchedule, FlatSchedule];
const invalid = {
  status: 400,
  when: "Fields are missing or invalid, or a network would reject the post; all problems are listed",
  error: "publications[0].posts[0].content: X takes at most 280 weighted characters, this text has 312",
};
const ONE = { id: "1007" };

const onlyProposes =
  "This token can only propose posts: set isDraft to true. A person then approves the draft in the dashboard";

const proposalOnly = {
  status: 403,
  when: "The token has only the scope `posts.propose`, and the post is not a draft",
  error: onlyProposes,
};

const changedSinceRead = {
  status: 412,
  when: "The post has changed since the version in `If-Match`",
  error: "Post 1007 was changed in the meantime. Read it again before you change it",
};

/** @throws NotFound, as for a missing schedule, if the caller may read only its own proposals and this is not one of them */
function assertReadable({ proposer }: Caller, { id, proposedClientId }: ShownSchedule): void {
  if (proposer && proposer.clientId !== proposedClientId) throw new NotFound(WHAT, id);
}

/** The response with a schedule and its ETag. */
function answered(schedule: ShownSchedule): Response {
  const body = presentSchedule(schedule);
  return json(body, { headers: { etag: scheduleTag(body) } });
}

/**
 * Parses either form of the body.
 * @throws BadRequest with all problems that validation finds, so that a malformed field does not hide the others
 */
async function inputOf(ownerId: string, body: object): Promise<NewSchedule | FlatSchedule> {
  try {
    return shapedOf(body);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    const problems = blockingProblems(await validateSchedule(ownerId, body));
    throw problems.length > 0 ? new BadRequest(...problems) : error;
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
  summary: "Create a post",
  description:
    "Checks in advance what a network would reject, and lists all problems at once. For a draft (`isDraft`) only references and the names and types of settings are checked, and the time is optional. A time up to five minutes in the past means now. The flat body is a short form for one account and one post. With the scope `posts.propose`, only drafts: each one waits for the approval of a person.",
  scope: "posts.write",
  orProposer: true,
  publishes: true,
  body: z.looseObject({}),
  bodies,
  idempotency: "verb",
  hasEtag: true,
  answers: { 201: CreatedScheduleView },
  errorResponses: [
    invalid,
    proposalOnly,
    {
      status: 409,
      when: "A file was deleted in the meantime",
      error: "A file was just deleted. Send the request again",
    },
  ],
  examples: [
    { title: "One post on one account", body: newScheduleExample, answer: scheduleExample },
    { title: "The flat body", body: flatScheduleExample },
  ],
  async handle({ caller, body, ticket }) {
    const input = await inputOf(caller.ownerId, body);
    if (caller.proposer && !input.isDraft) throw new AccessDenied(onlyProposes);
    const of = (schedule: ShownSchedule) => ({ status: 201, body: presentCreated(schedule) });
    const schedule = await createSchedule(caller.ownerId, input, ticket && { ticket, of }, caller.proposer);
    const created = presentCreated(schedule);
    return json(created, { status: 201, headers: { etag: scheduleTag(created) } });
  },
});

export const validatePostRoute = route({
  method: "post",
  path: "/v1/posts/validate",
  summary: "Validate a post",
  description:
    "Runs every check of creation and stores nothing. Problems are part of a 200 answer. If a problem can be fixed without a decision, `apply` is a JSON Patch (RFC 6902) of the body that fixes it: it shortens a text, removes surplus files, corrects the `type`, picks the only destination, or sets a past time to now.",
  scope: "posts.write",
  orProposer: true,
  body: z.looseObject({}),
  bodies: [...bodies, z.looseObject({}).meta({ description: "Any other body; its problems are the answer" })],
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

const cursorOfOtherSort = () => new BadRequest("cursor is from a list with another sort");
const ScheduleId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

const listFilters = postFilters.extend({
  missed: z.enum(["true", "false"]).default("false").meta({
    description:
      "`true`: only posts that failed because an account needed reconnecting, once the account is connected again. Retry them to publish them late",
  }),
  needsAttention: z.enum(["true", "false"]).default("false").meta({
    description:
      "`true`: only posts that did not go out on an account, or may not have, and that the user did not leave unpublished there",
  }),
});

// Its name sorts before `getPostRoute`, which would take `counts` for an id.
export const countPostsRoute = route({
  method: "get",
  path: "/v1/posts/counts",
  summary: "Count posts by status",
  description: `Takes the filters of the list. Each count stops at ${MAX_COUNTED}, which then means this many or more.`,
  scope: "posts.read",
  query: listFilters,
  answers: { 200: PostCountsView },
  examples: [
    {
      answer: {
        limit: MAX_COUNTED,
        counts: {
          ...{ DRAFT: 28, AWAITING_MEDIA: 0, SCHEDULED: 312, MEDIA_IMPORT_FAILED: 0 },
          ...{ IN_PROGRESS: 1, COMPLETED: 4862, PARTIALLY_COMPLETED: 3, FAILED: 2 },
        },
      },
    },
  ],
  async handle({ caller, query: { missed, needsAttention, ...rest } }) {
    const filters = { ...rest, isMissed: missed === "true", needsAttention: needsAttention === "true" };
    const counts = await countSchedules(caller.ownerId, ScheduleStatusView.options, filters);
    return json({ limit: MAX_COUNTED, counts });
  },
});

export const listPostsRoute = route({
  method: "get",
  path: "/v1/posts",
  summary: "List posts, newest first",
  description: "`from` and `to` limit `scheduledTime` and are inclusive. A draft without a time matches neither.",
  scope: "posts.read",
  query: listFilters.extend({
    sort: z.enum(["scheduledTime", "-scheduledTime"]).optional().meta({
      description:
        "Sorts by `scheduledTime`, the earliest or (with `-`) the latest first, and leaves out drafts without a time. By default the newest post is first",
    }),
    limit: limitParam,
    cursor: cursorParam(z.union([ScheduleId, z.tuple([z.string().refine(isDatabaseInstant), ScheduleId])])),
  }),
  answers: { 200: ScheduleList },
  examples: [
    {
      query: { status: "COMPLETED", text: "bells", from: "2031-05-01T00:00:00Z", limit: "20" },
      answer: { items: [publishedScheduleExample], nextCursor: "MTAwNw" },
    },
  ],
  async handle({ caller, query: { cursor, sort, missed, needsAttention, ...rest } }) {
    const filters = { ...rest, isMissed: missed === "true", needsAttention: needsAttention === "true" };
    if (sort === undefined) {
      if (Array.isArray(cursor)) throw cursorOfOtherSort();
      return json(presentPage(await listSchedules(caller.ownerId, { ...filters, before: cursor }), presentSchedule));
    }
    if (typeof cursor === "number") throw cursorOfOtherSort();
    const page = await listSchedulesByTime(caller.ownerId, { ...filters, sort, after: cursor });
    return json(presentPage(page, presentSchedule));
  },
});

export const getPostRoute = route({
  method: "get",
  path: "/v1/posts/{id}",
  summary: "Get a post with the status of every part",
  description: "With the scope `posts.propose`, only posts that the same application proposed.",
  scope: "posts.read",
  orProposer: true,
  params: IdParam,
  hasEtag: true,
  answers: { 200: ScheduleView },
  examples: [{ params: ONE, answer: publishedScheduleExample }],
  async handle({ caller, params }) {
    const schedule = await getSchedule(caller.ownerId, idOf(WHAT, params.id));
    assertReadable(caller, schedule);
    return answered(schedule);
  },
});

export const getPostReceiptRoute = route({
  method: "get",
  path: "/v1/posts/{id}/receipt",
  summary: "Get the attempts of a post",
  description:
    "For each account, `story` lists the attempts: when each was made, what the network answered, and when the next one follows.",
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
  summary: "Preview the requests to each network",
  description:
    "The exact requests, in order. `***` replaces a secret, and a name in braces stands for a value that only the network will know. Nothing is sent. With the scope `posts.propose`, only posts that the same application proposed.",
  scope: "posts.read",
  orProposer: true,
  params: IdParam,
  answers: { 200: PreviewView },
  examples: [{ params: ONE, answer: previewExample }],
  async handle({ caller, params }) {
    const id = idOf(WHAT, params.id);
    if (caller.proposer) assertReadable(caller, await getSchedule(caller.ownerId, id));
    return Response.json(presentPreview(await previewSchedule(caller.ownerId, id)));
  },
});

export const updatePostRoute = route({
  method: "put",
  path: "/v1/posts/{id}",
  summary: "Replace a post",
  description:
    "Takes the same bodies as creation. The entries of `publications` and `posts` get new IDs. Once publishing has started, the answer is 409. With `If-Match`, you never overwrite a version that you have not read: of several requests with the same value, one answers 200 and the others 412. With the scope `posts.propose`, only drafts that the same application proposed, and they stay drafts.",
  scope: "posts.write",
  orProposer: true,
  publishes: true,
  params: IdParam,
  headers: z.object({
    "If-Match": z.string().optional().meta({
      description: "The `ETag` of the version to replace; `*` for any",
    }),
  }),
  body: z.looseObject({}),
  bodies,
  hasEtag: true,
  answers: { 200: ScheduleView },
  errorResponses: [
    invalid,
    proposalOnly,
    changedSinceRead,
    {
      status: 409,
      when: "Publishing has started or ended",
      error: "Post 1007 is being published and can no longer be changed",
    },
  ],
  examples: [{ params: ONE, body: newScheduleExample, answer: scheduleExample }],
  async handle({ caller, params, body, request }) {
    const id = idOf(WHAT, params.id);
    // Returns 404 for another owner's schedule, whatever the body contains.
    assertReadable(caller, await getSchedule(caller.ownerId, id));
    const ifMatch = request.headers.get("if-match") ?? undefined;
    const input = await inputOf(caller.ownerId, body);
    if (caller.proposer && !input.isDraft) throw new AccessDenied(onlyProposes);
    const who = { isPerson: Boolean(caller.session), isProposer: Boolean(caller.proposer) };
    return answered(await updateSchedule(caller.ownerId, id, input, { ifMatch, ...who }));
  },
});

export const approvePostRoute = route({
  method: "post",
  path: "/v1/posts/{id}/approve",
  summary: "Approve a proposed post",
  description:
    "The draft that an application proposed (`proposal`) is scheduled exactly as a person saw it: `digest` names that content. If an application changes it later, it becomes a draft again and needs a new approval.",
  scope: "posts.write",
  publishes: true,
  params: IdParam,
  body: ApprovalInput,
  hasEtag: true,
  answers: { 200: ScheduleView },
  errorResponses: [
    invalid,
    {
      status: 412,
      when: "The post is no longer the one that the digest names",
      error: "Post 1007 was changed in the meantime. Read it again before you change it",
    },
    {
      status: 409,
      when: "The post is not a proposal or not a draft, or its media are still being fetched",
      error: "Post 1007 was not proposed by an application, so there is nothing to approve",
    },
  ],
  examples: [{ params: ONE, body: { digest: proposalExample.digest }, answer: scheduleExample }],
  async handle({ caller, params, body }) {
    return answered(await approveSchedule(caller.ownerId, idOf(WHAT, params.id), body));
  },
});

const accountIds = z
  .array(z.number().int())
  .min(1)
  .max(1_000)
  .optional()
  .meta({ description: "Only these accounts. By default all on which the post failed" });

const RetryBody = z.strictObject({
  accountIds,
  sendAgain: z.boolean().default(false).meta({
    description: "Send a post with an unknown outcome again if the network does not show it: it may be live twice then",
  }),
});

export const leavePostRoute = route({
  method: "post",
  path: "/v1/posts/{id}/leave",
  summary: "Leave a failed post unpublished",
  description:
    "On all accounts on which it failed, or on some of them. It then no longer counts as needing attention (`needsAttention=true` and `missed=true` of the list). A retry is still possible and undoes it.",
  scope: "posts.write",
  params: IdParam,
  body: z.strictObject({ accountIds }),
  isBodyOptional: true,
  hasEtag: true,
  answers: { 200: ScheduleView },
  errorResponses: [
    {
      status: 409,
      when: "Nothing has failed",
      error: "Post 1007 has not failed on any account, so there is nothing to leave",
    },
  ],
  examples: [{ params: ONE, body: { accountIds: [42] }, answer: scheduleExample }],
  async handle({ caller, params, body }) {
    return answered(await leaveUnpublished(caller.ownerId, idOf(WHAT, params.id), body));
  },
});

export const retryPostRoute = route({
  method: "post",
  path: "/v1/posts/{id}/retry",
  summary: "Retry a failed post",
  description:
    "Makes one new attempt on each account on which the post is `FAILED` or `UNKNOWN`. Of several parallel calls, one answers 200 and the others 409. An `UNKNOWN` post is first looked up on the network. If that is not possible, the call answers 409: look there yourself, then send `sendAgain: true`, which sends the post again unless the network shows it.",
  scope: "posts.write",
  publishes: true,
  params: IdParam,
  body: RetryBody,
  isBodyOptional: true,
  hasEtag: true,
  answers: { 200: ScheduleView },
  errorResponses: [
    {
      status: 409,
      when: "Nothing has failed, or the post is being published",
      error: "Post 1007 has not failed on any account, so there is nothing to retry",
    },
    {
      status: 409,
      when: "The outcome is unknown and the network cannot tell it, and `sendAgain` is not true",
      error: new ReadBackNotPossible(1007, "Telegram").message,
    },
  ],
  examples: [{ params: ONE, body: { sendAgain: false }, answer: { ...scheduleExample, overallStatus: "IN_PROGRESS" } }],
  async handle({ caller, params, body }) {
    return answered(await retrySchedule(caller.ownerId, idOf(WHAT, params.id), body));
  },
});

export const deletePostRoute = route({
  method: "delete",
  path: "/v1/posts/{id}",
  summary: "Delete a post",
  description:
    "Posts that are already public stay on their networks. With `If-Match`, you never delete a version that you have not read. With the scope `posts.propose`, only drafts that the same application proposed.",
  scope: "posts.write",
  orProposer: true,
  params: IdParam,
  headers: z.object({
    "If-Match": z.string().optional().meta({
      description: "The `ETag` of the version to delete; `*` for any",
    }),
  }),
  answers: { 204: "Removed" },
  errorResponses: [
    changedSinceRead,
    {
      status: 409,
      when: "The post is being published",
      error: "Post 1007 is being published and can no longer be deleted",
    },
  ],
  examples: [{ params: ONE }],
  async handle({ caller, params, request }) {
    const id = idOf(WHAT, params.id);
    if (caller.proposer) assertReadable(caller, await getSchedule(caller.ownerId, id));
    const ifMatch = request.headers.get("if-match") ?? undefined;
    await deleteSchedule(caller.ownerId, id, { ifMatch, isProposer: Boolean(caller.proposer) });
    return new Response(null, { status: 204 });
  },
});
