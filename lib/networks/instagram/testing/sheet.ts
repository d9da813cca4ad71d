import type { Sheet, SheetRow } from "../../testing/sheet";

const adapter = "lib/networks/instagram/instagram.test.ts";
const files = "lib/networks/instagram/video.test.ts";
const containers = "lib/networks/instagram/containers.test.ts";
const errors = "lib/networks/instagram/errors.test.ts";
const table = "lib/networks/errors.test.ts";
const bounds = "lib/schedules/check/bounds.test.ts";
const engine = "lib/schedules/publish/publish-instagram.test.ts";
const consent = "sandbox/instagram/oauth.test.ts";
const posts = "sandbox/instagram/publish.test.ts";

const shown = (row: string, file: string, test: string): SheetRow => ({ row, proof: { file, test } });
const BOUND = "$when: $of inside the bound, at it, and one beyond it";

/** What Instagram's contract asks for, and the test that shows it. */
export const sheet: Sheet = [
  shown("§1 token of an hour, then of 60 days", adapter, "answers a token of 60 days and the scopes granted"),
  shown("§1 the code, once and for an hour", consent, "a code works once, and for an hour"),
  shown("§1 denied", adapter, "is denied with access_denied"),
  shown("§1 a wrong code, in the endpoint's own shape", adapter, "a wrong code asks for another sign-in"),
  shown("§1 refresh after a day", adapter, "changes a token of two days for a new one"),
  shown("§1 an ended token", adapter, "a token that has run out asks to reconnect, without a call"),
  shown("§2 identity, the id whole", adapter, "reads whose account it is, the id whole"),
  shown("§4 FEED, one image", adapter, "an image with its caption"),
  shown("§4 FEED, one video is a reel in both", files, "%s is a reel that the feed shows too"),
  shown("§4 FEED, 2 to 10 images", adapter, "a carousel of three, in order"),
  shown("§4 FEED, images and videos mixed", files, "in a carousel with an image, in order"),
  shown("§4 REELS with cover and label", files, "with a cover, fetched from an address of its own, and the AI label"),
  shown("§4 STORY, images", adapter, "several images as as many stories"),
  shown("§4 STORY, videos", files, "as a story, alone and with an image"),
  shown("§4 AI label", adapter, "the AI label, when asked for"),
  shown("§4 every format through the engine", engine, "a reel with its cover, a mixed carousel and a video story"),
  shown("§4 permalink never decides", adapter, "a permalink that cannot be read does not fail the post"),
  shown(
    "§4 a container that fails gets another",
    files,
    "a video that fails while it is prepared gets another container",
  ),
  shown("§4 a container that expired", adapter, "a container that expired while waiting is made again"),
  shown("§5 values of the table", files, "of reels, stories and covers"),
  shown("§5 sizes, ratios, pixels, seconds, rates, codecs at their bounds", bounds, BOUND),
  shown("§5 caption, hashtags, mentions at their bounds", bounds, BOUND),
  shown("§5 what Instagram would refuse of a video", files, "a video that is %s is refused in words"),
  shown("§5 a story of a minute", files, "a story that is longer than a minute is refused, a reel is not"),
  shown("§5 ratio of an image", adapter, "an image of a ratio that Instagram refuses"),
  shown("§5 quota read, one below", files, "one below is published"),
  shown("§5 quota used up", files, "used up: later, and nothing is prepared"),
  shown("§5 quota of several stories", files, "stories count each"),
  shown(
    "§5 throttling by the usage header",
    errors,
    "throttling waits for as long as the usage header says, in minutes",
  ),
  shown("§6 every code of the table", errors, "every documented code"),
  shown("§6 by their words", errors, "by their words alone"),
  shown("§6 codes inside a container's status", table, "a container's status names its error somewhere in a sentence"),
  shown(
    "§6 suspected spam may be live",
    files,
    "suspected spam, although it is live: the container is asked, and nothing is sent again",
  ),
  shown("§6 revoked token", adapter, "a revoked token"),
  shown("§7 lost answers of a reel", files, "%s of a reel: sent once, and found"),
  shown("§7 lost answers of an image", adapter, "%s: sent once"),
  shown(
    "§7 fail-points before the final call",
    files,
    "drop_response on %s: nothing is public, and the next attempt ends it",
  ),
  shown("§7 in the middle of stories", adapter, "in the middle of several stories"),
  shown(
    "§7 a carousel that expired",
    containers,
    "a carousel that waited for more than a day is made again, its items too",
  ),
  shown(
    "§7 publishing what is PUBLISHED, undocumented",
    containers,
    "a refusal to publish what is out already is no refusal: it is looked up, and nothing is sent again",
  ),
  shown(
    "§6 24/2207008, often temporary",
    containers,
    "a container that is not found for a moment is published later; after two minutes another one is made",
  ),
  shown("§4 permalink by the short code", containers, "a post without a permalink has the address of its short code"),
  shown("§8.1 user_id and id differ", posts, "the account's id in a path is user_id, never the app-scoped id"),
  shown("§8.6 items used once", posts, "two carousels of the same items: one goes out"),
  shown(
    "§8.9 a permalink that cannot be read",
    posts,
    "a post that is live cannot be read for a while, where the fault says so",
  ),
  shown("§7 through the engine", engine, "%s on the final call: one post, and it is PUBLISHED"),
  shown("§8.2 codes and denial", consent, "allow comes back with the code and #_, deny with Meta's three parameters"),
  shown("§8.3 tokens' ages", consent, "a long token is refreshed after a day and before sixty, for another sixty"),
  shown("§8.3 revocation", consent, "revoke_token gives 190 with the person's withdrawal, and ends the token"),
  shown(
    "§8.4 asynchronous containers",
    posts,
    "of one image is a container, polls and a publish call; the media id is another one",
  ),
  shown("§8.4 24 hours", posts, "a container expires after 24 hours"),
  shown("§8.5 files are fetched and judged", posts, "an index behind the data"),
  shown("§8.6 carousel rules", posts, "children that are not carousel items, and the account of somebody else"),
  shown("§8.7 single VIDEO refused", posts, "a single VIDEO"),
  shown("§8.7 caption bounds", posts, "a caption of 2,201"),
  shown("§8.8 quota", posts, "the quota of the day is visible and counts published posts"),
  shown("§8.8 80002 with HTTP 400", posts, "rate_limit is 80002 with HTTP 400 and the minutes in the usage header"),
  shown("§8.10 lost answers", posts, "a lost answer of the publish call leaves the container PUBLISHED"),
];
