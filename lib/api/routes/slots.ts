import { z } from "zod";
import { getQueue, presentQueue, setQueue } from "../../accounts";
import { json } from "../../http/json";
import { nextSlots, presentNextSlots } from "../../schedules";
import { QueueBody } from "../bodies/queue";
import { route } from "../route";
import { IdParam, idOf, instantParam, NextSlotsView, QueueView } from "../shapes";
import { nextSlotsExample, queueExample } from "./examples";

const ONE = { id: "42" };

export const getSlotsRoute = route({
  method: "get",
  path: "/v1/accounts/{id}/slots",
  summary: "Get an account's posting times",
  scope: "accounts.read",
  params: IdParam,
  description:
    "The weekly posting times of the account, in local time of one zone. They are kept while the account is disconnected.",
  answers: { 200: QueueView },
  examples: [{ params: ONE, answer: queueExample }],
  async handle({ caller, params }) {
    return json(presentQueue(await getQueue(caller.ownerId, idOf("Account", params.id))));
  },
});

export const setSlotsRoute = route({
  method: "put",
  path: "/v1/accounts/{id}/slots",
  summary: "Set an account's posting times",
  scope: "api",
  params: IdParam,
  description:
    "Replaces all posting times; at most 100, without repeats. Scheduled posts do not move. If daylight saving time skips a time, the first instant after it is used; if it occurs twice, the first one is used.",
  body: QueueBody,
  answers: { 200: QueueView },
  errorResponses: [{ status: 400, when: "A field is missing or invalid", error: "timeZone cannot be null" }],
  examples: [{ params: ONE, body: queueExample, answer: queueExample }],
  async handle({ caller, params, body }) {
    return json(presentQueue(await setQueue(caller.ownerId, idOf("Account", params.id), body)));
  },
});

const accountIds = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15}){0,99}$/, "must be account IDs separated by commas")
  .transform((text) => [...new Set(text.split(",").map(Number))]);

const count = z
  .string()
  .regex(/^\d{1,3}$/, "must be a whole number from 1 to 100")
  .transform(Number)
  .pipe(z.number().min(1).max(100))
  .default(1)
  .meta({ description: "The maximum number of items", type: "integer", minimum: 1, maximum: 100, pattern: undefined });

export const nextSlotsRoute = route({
  method: "get",
  path: "/v1/slots/next",
  summary: "List the next free posting times of one or more accounts",
  scope: "posts.read",
  description:
    "A posting time is free if nothing is scheduled for the account within its minute; drafts do not count. The search covers one year, so there may be fewer times than requested.",
  query: z.object({
    accountIds: accountIds
      .optional()
      .meta({ description: "Account IDs separated by commas. Default: all of the user's accounts" }),
    match: z.enum(["all", "any"]).default("all").meta({
      description:
        "`all`: times at which one post can go to all of the accounts. Accounts without posting times only need to be free. `any`: the free times of each account, in one list",
    }),
    count,
    after: instantParam
      .optional()
      .meta({ description: "Only free times after this one. Default: now, also for a past time" }),
  }),
  answers: { 200: NextSlotsView },
  errorResponses: [
    {
      status: 400,
      when: "An account does not belong to the user",
      error: "accountIds contains ids that are not accounts of this user: 42",
    },
  ],
  examples: [{ query: { accountIds: "42,43", count: "2", after: "2031-05-01T00:00:00Z" }, answer: nextSlotsExample }],
  async handle({ caller, query }) {
    return json(presentNextSlots(await nextSlots(caller.ownerId, query)));
  },
});
