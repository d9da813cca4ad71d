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
  summary: "When an account likes to post",
  scope: "accounts.read",
  params: IdParam,
  description:
    "Its queue: weekly times by the wall clock of one zone. They are kept while the account is disconnected, and come back with it.",
  answers: { 200: QueueView },
  examples: [{ params: ONE, answer: queueExample }],
  async handle({ caller, params }) {
    return json(presentQueue(await getQueue(caller.ownerId, idOf("Account", params.id))));
  },
});

export const setSlotsRoute = route({
  method: "put",
  path: "/v1/accounts/{id}/slots",
  summary: "Says when an account likes to post",
  scope: "api",
  params: IdParam,
  description:
    "Replaces all of its slots; at most 100, each once. Nothing that is scheduled already moves. Where the clock is put forward over a slot, it is the first instant after; where a slot's time comes twice, it is the first of the two.",
  body: QueueBody,
  answers: { 200: QueueView },
  refusals: [{ status: 400, when: "A field is missing or wrong", error: "timeZone cannot be null" }],
  examples: [{ params: ONE, body: queueExample, answer: queueExample }],
  async handle({ caller, params, body }) {
    return json(presentQueue(await setQueue(caller.ownerId, idOf("Account", params.id), body)));
  },
});

const accountIds = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15}){0,99}$/, "must be ids of accounts, with commas between")
  .transform((text) => [...new Set(text.split(",").map(Number))]);

const count = z
  .string()
  .regex(/^\d{1,3}$/, "must be a whole number from 1 to 100")
  .transform(Number)
  .pipe(z.number().min(1).max(100))
  .default(1)
  .meta({ description: "How many at most", type: "integer", minimum: 1, maximum: 100, pattern: undefined });

export const nextSlotsRoute = route({
  method: "get",
  path: "/v1/slots/next",
  summary: "The next free slots of one account or several",
  scope: "posts.read",
  description:
    "A slot is free while nothing is scheduled for the account within its minute; drafts do not count. Looks a year ahead, so there may be fewer than asked for, or none.",
  query: z.object({
    accountIds: accountIds
      .optional()
      .meta({ description: "Accounts' `id`s, commas between; all of the user's where it is absent" }),
    match: z.enum(["all", "any"]).default("all").meta({
      description:
        "`all`: times for one post that goes to all of the accounts: a slot of each that has slots, and free for every one of them. `any`: the free slots of each, as one list",
    }),
    count,
    after: instantParam
      .optional()
      .meta({ description: "The instant after which to look; now where it is absent or past" }),
  }),
  answers: { 200: NextSlotsView },
  refusals: [
    {
      status: 400,
      when: "An account is not the user's",
      error: "accountIds contains ids that are not accounts of this user: 42",
    },
  ],
  examples: [{ query: { accountIds: "42,43", count: "2", after: "2031-05-01T00:00:00Z" }, answer: nextSlotsExample }],
  async handle({ caller, query }) {
    return json(presentNextSlots(await nextSlots(caller.ownerId, query)));
  },
});
