import { z } from "zod";
import { json, TextResponse } from "../../http/json";
import {
  createFeed,
  deleteFeed,
  dryRunFeed,
  type Feed,
  getFeed,
  listFeeds,
  NewFeed,
  presentFeed,
  presentFeedDryRun,
} from "../../schedules";
import { giveWay } from "../../time/give-way";
import { route } from "../route";
import { FeedDryRunView, FeedView, IdParam, idOf } from "../shapes";
import { feedDryRunExample, feedExample, newFeedExample } from "./examples";

const ID = { id: String(feedExample.id) };

export const createFeedRoute = route({
  method: "post",
  path: "/v1/feeds",
  summary: "Add a feed, whose new items become posts",
  description:
    "RSS, Atom or JSON Feed at a public address, at most 4 MB, read every 15 minutes. Each item becomes one post, recognised by its guid, and a draft unless the template says otherwise. Use `dryRun=true` first: it reads the feed, shows the posts of its newest items with what their networks would refuse, and stores nothing.",
  scope: "posts.write",
  publishes: true,
  query: z.object({
    dryRun: z.enum(["true", "false"]).default("false").meta({ description: "Only read and show; store nothing" }),
  }),
  body: NewFeed,
  idempotency: "handler",
  answers: { 200: FeedDryRunView, 201: FeedView },
  errorResponses: [
    {
      status: 400,
      when: "The URL cannot be read, or is not a feed",
      error: "url cannot be read: the name of the server could not be resolved",
    },
    {
      status: 400,
      when: "A draft could not be made from the template",
      error: "template.publications[0].socialMediaAccountId is not one of this user's accounts: 42",
    },
    { status: 409, when: "There are 100 feeds already", error: "There are 100 feeds already; remove one first" },
  ],
  examples: [
    { title: "Dry run", query: { dryRun: "true" }, body: newFeedExample, answer: feedDryRunExample, status: 200 },
    { title: "Add it", body: newFeedExample, answer: feedExample, status: 201 },
  ],
  async handle({ caller, query, body, ticketFor }) {
    if (query.dryRun === "true") return json(presentFeedDryRun(await dryRunFeed(caller.ownerId, body)));
    const ticket = ticketFor(body);
    const of = (feed: Feed) => ({ status: 201, body: presentFeed(feed) });
    return json(presentFeed(await createFeed(caller, body, ticket && { ticket, of })), { status: 201 });
  },
});

export const listFeedsRoute = route({
  method: "get",
  path: "/v1/feeds",
  summary: "List the user's feeds, oldest first",
  scope: "posts.read",
  answers: { 200: z.array(FeedView) },
  examples: [{ answer: [feedExample] }],
  async handle({ caller }) {
    const texts: string[] = [];
    for (const feed of await listFeeds(caller.ownerId)) {
      await giveWay(); // together, a hundred feeds may have 10 MB
      texts.push(JSON.stringify(presentFeed(feed)));
    }
    return new TextResponse(`[${texts.join(",")}]`, 200, { "content-type": "application/json" });
  },
});

export const getFeedRoute = route({
  method: "get",
  path: "/v1/feeds/{id}",
  summary: "Get a feed",
  scope: "posts.read",
  params: IdParam,
  answers: { 200: FeedView },
  examples: [{ params: ID, answer: feedExample }],
  async handle({ caller, params }) {
    return json(presentFeed(await getFeed(caller.ownerId, idOf("Feed", params.id))));
  },
});

export const deleteFeedRoute = route({
  method: "delete",
  path: "/v1/feeds/{id}",
  summary: "Remove a feed and keep its posts",
  scope: "posts.write",
  params: IdParam,
  answers: { 204: "Removed" },
  examples: [{ params: ID }],
  async handle({ caller, params }) {
    await deleteFeed(caller.ownerId, idOf("Feed", params.id));
    return new Response(null, { status: 204 });
  },
});
