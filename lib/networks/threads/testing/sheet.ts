import type { Sheet } from "../../testing/sheet";

const ADAPTER = "lib/networks/threads/threads.test.ts";
const CONTAINERS = "lib/networks/threads/containers.test.ts";
const ERRORS = "lib/networks/threads/errors.test.ts";
const LIMITS = "lib/networks/threads/limits.test.ts";
const SIGN_IN = "sandbox/threads/oauth.test.ts";
const SANDBOX = "sandbox/threads/publish.test.ts";
const ENGINE = "lib/schedules/publish/publish-threads.test.ts";
const at = (file: string, test: string) => ({ file, test });

export const sheet: Sheet = [
  {
    row: "§1 code for a short token, exchanged for 60 days",
    proof: at(ADAPTER, "answers a token of 60 days and what was granted, read from the token itself"),
  },
  { row: "§1 refresh of a token at least a day old", proof: at(ADAPTER, "changes a token of two days for a new one") },
  {
    row: "§1 an expired token cannot be refreshed",
    proof: at(ADAPTER, "a token that has run out asks to reconnect, without a call"),
  },
  { row: "§1 denial", proof: at(ADAPTER, "is denied with access_denied") },
  { row: "§1 token endpoint error", proof: at(ADAPTER, "a wrong code asks for another sign-in") },
  {
    row: "§2 identity, ids above 2^53 whole",
    proof: at(ADAPTER, "reads whose account it is, the id whole although the token answer rounds it"),
  },
  { row: "§4 text, link card, mentions", proof: at(ADAPTER, "a text with links and mentions, as it was written") },
  { row: "§4 topic tag, parameter and in-text", proof: at(ADAPTER, "a topic, and the first tag of a text as one") },
  { row: "§4 one image, one video", proof: at(ADAPTER, "an image, a PNG and a video") },
  {
    row: "§4 carousel of 2–20, images and videos mixed",
    proof: at(ADAPTER, "a carousel of images and videos, in order"),
  },
  { row: "§4 carousel of 20", proof: at(ADAPTER, "a carousel of twenty") },
  {
    row: "§4 reply chain",
    proof: at(ADAPTER, "a chain, each replying to the published post before it, the topic on the root alone"),
  },
  {
    row: "§4 reply_to_id is never a container's",
    proof: at(ADAPTER, "a post that goes by its container's id gets no replies: nothing is sent, and it is said why"),
  },
  {
    row: "§4 permalink, missing at first",
    proof: at(SANDBOX, "the first tag becomes the topic and loses its sign; the permalink comes late"),
  },
  {
    row: "§4 a permalink that cannot be read",
    proof: at(ADAPTER, "a permalink that cannot be read does not fail the post"),
  },
  {
    row: "§4 a topic that is not permitted",
    proof: at(ADAPTER, "a topic that Threads does not permit fails, and nothing is published without it"),
  },
  { row: "§5 limits, each at its bound", proof: at(LIMITS, "one below, at and above each bound") },
  { row: "§5 formats and codecs", proof: at(LIMITS, "what is one thing or another") },
  {
    row: "§5 quotas read at run time",
    proof: at(ADAPTER, "the day's quota is read before the final call, and its total at run time"),
  },
  { row: "§6 error codes", proof: at(ERRORS, "what Threads answers, and what it means") },
  { row: "§6 container errors", proof: at(ERRORS, "what a container that failed says") },
  { row: "§7 lost answers, container and read-back", proof: at(ADAPTER, "a lost answer") },
  {
    row: "§7 unique match or none",
    proof: at(ADAPTER, "two posts that say the same: none is taken for the lost one, and none is sent again"),
  },
  {
    row: "§7 expired container is made again",
    proof: at(ADAPTER, "a container that expired while waiting is made again"),
  },
  {
    row: "§7 a carousel that expired is made again, its items too",
    proof: at(CONTAINERS, "a carousel that waited for more than a day is made again, its items too"),
  },
  {
    row: "§7 publishing what is PUBLISHED, undocumented",
    proof: at(
      CONTAINERS,
      "a refusal to publish what is out already is no refusal: it is looked up, and nothing is sent again",
    ),
  },
  {
    row: "§7 killed at every step",
    proof: at(ADAPTER, "killed before and after every piece of work: one post each time"),
  },
  { row: "§7 through the engine", proof: at(ENGINE, "every format goes out once") },
  { row: "§8.1 credentials, codes, flat errors, denial", proof: at(SIGN_IN, "tokens") },
  {
    row: "§8.2 user_id a number, id a string",
    proof: at(SIGN_IN, "user_id is a bare number above 2^53, and a string in /me"),
  },
  {
    row: "§8.3 lifetimes of tokens",
    proof: at(SIGN_IN, "a long token is refreshed after a day and before sixty, for another sixty"),
  },
  { row: "§8.4 states of a container", proof: at(SANDBOX, "containers") },
  {
    row: "§8.5 media inspected",
    proof: at(SANDBOX, "media are fetched and looked at; their faults are the container's"),
  },
  { row: "§8.6 text rules", proof: at(SANDBOX, "refused at once") },
  { row: "§8.7 topic rules", proof: at(SANDBOX, "a topic of the list, with the subcode and title") },
  { row: "§8.8 carousel rules", proof: at(SANDBOX, "carousels") },
  { row: "§8.9 replies and quotas", proof: at(SANDBOX, "250 posts and 1,000 replies a day, counted apart and told") },
  {
    row: "§8.10 ids, hidden fields, late permalink",
    proof: at(SANDBOX, "IN_PROGRESS, FINISHED, PUBLISHED; videos take longer, and nothing else is told"),
  },
  { row: "§8.11 fault modes", proof: at(SANDBOX, "suspected spam, and an answer that is lost after the post is out") },
  {
    row: "§8.11 190 between two parts of a chain",
    proof: at(ADAPTER, "the permission ends between two parts of a chain"),
  },
];
