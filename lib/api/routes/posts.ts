import { z } from "zod";
import { BadRequest } from "../../errors";
import {
  createSchedule,
  deleteSchedule,
  FlatSchedule,
  getSchedule,
  isFlat,
  listSchedules,
  NewSchedule,
  nested,
  presentSchedule,
} from "../../schedules";
import { parse } from "../body";
import { idempotencyOf } from "../idempotency";
import { route } from "../route";
import { IdParam, idOf, ScheduleList, ScheduleStatus, ScheduleView } from "./shapes";

const WHAT = "Posting schedule";

export const createPostRoute = route({
  method: "post",
  path: "/v1/posts",
  summary: "Creates a posting schedule, from the nested body or from a partner's flat one",
  scope: "posts.write",
  body: z.looseObject({}),
  answers: { 201: ScheduleView },
  async handle({ caller, body, request }) {
    const idempotent = await idempotencyOf(request, caller.ownerId, "POST /v1/posts", body);
    if (idempotent?.replay) {
      return Response.json(idempotent.replay, { status: 201, headers: { "Idempotency-Replayed": "true" } });
    }
    const flat = isFlat(body);
    if (flat === undefined) throw new BadRequest("publications cannot stand beside the fields of the flat body");
    const input = flat ? await nested(caller.ownerId, parse(FlatSchedule, body)) : parse(NewSchedule, body);
    const schedule = await createSchedule(caller.ownerId, input, (tx, made) =>
      idempotent ? idempotent.remember(tx, presentSchedule(made)) : Promise.resolve(),
    );
    return Response.json(presentSchedule(schedule), { status: 201 });
  },
});

export const listPostsRoute = route({
  method: "get",
  path: "/v1/posts",
  summary: "The user's posting schedules, newest first",
  scope: "posts.read",
  query: z.object({
    status: ScheduleStatus.optional(),
    limit: z
      .string()
      .regex(/^\d{1,3}$/, "must be a whole number from 1 to 100")
      .transform(Number)
      .pipe(z.number().min(1).max(100))
      .default(20),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/, "is not a cursor that an earlier answer gave")
      .transform(Number)
      .optional(),
  }),
  answers: { 200: ScheduleList },
  async handle({ caller, query }) {
    const { items, next } = await listSchedules(caller.ownerId, {
      limit: query.limit,
      before: query.cursor,
      status: query.status,
    });
    return Response.json({ items: items.map(presentSchedule), nextCursor: next === undefined ? null : String(next) });
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
