import type { Sheet, SheetRow } from "../../testing/sheet";

const adapter = "lib/networks/x/x.test.ts";
const files = "lib/networks/x/video.test.ts";
const errors = "lib/networks/x/errors.test.ts";
const table = "lib/networks/errors.test.ts";
const find = "lib/networks/x/find.test.ts";
const text = "lib/networks/text/count.test.ts";
const weight = "lib/networks/text/weighted.test.ts";
const bounds = "lib/schedules/check/bounds.test.ts";
const engine = "lib/schedules/publish/publish-x.test.ts";
const consent = "sandbox/x/oauth.test.ts";
const letters = "sandbox/x/text.test.ts";
const posts = "sandbox/x/posts.test.ts";

const shown = (row: string, file: string, test: string): SheetRow => ({ row, proof: { file, test } });
const codes = (...rows: string[]) => rows.map((code) => shown(`§6 ${code}`, errors, code));
const BOUND = "$when: $of inside the bound, at it, and one beyond it";

/** What X's contract asks for, and the test that shows it. */
export const sheet: Sheet = [
  shown(
    "§1 authorize: S256, state, the scopes",
    consent,
    "allow gives state and code, deny gives the error and the state",
  ),
  shown("§1 code for tokens", adapter, "answers both tokens, their end and the scopes granted"),
  shown("§1 code of 30 seconds, single use", consent, "a code works once, and for 30 seconds"),
  shown("§1 denied", adapter, "is denied with access_denied"),
  shown("§1 a wrong code", adapter, "a wrong code asks for another sign-in"),
  shown("§1 refresh with rotation", adapter, "answers a new pair, and the spent one asks to reconnect"),
  shown(
    "§1 one refresh for many at once",
    engine,
    "runs out: refreshed once for a thread and three publications at the same time",
  ),
  shown("§1 revoke", adapter, "a revoked account asks to reconnect"),
  shown("§2 identity, id as text", adapter, "reads whose account it is, the id as a string"),
  shown("§4.1 text with links", adapter, "a text"),
  shown("§4.2 single image", adapter, "an image without text"),
  shown("§4.2 still GIFs as images, moving ones in parts", files, "that move go up in parts, still GIFs at once"),
  shown("§4.3 up to four images in order", adapter, "four images, in their order"),
  shown("§4.3 no mixing", files, "still images only"),
  shown("§4.4 video in parts of 4 MiB, polled", files, "goes up in parts of 4 MiB, and is posted when X is ready"),
  shown("§4.4 resumed after a cut", files, "that was cut goes on where it was"),
  shown(
    "§4.4 fail-points of an upload",
    files,
    "drop_response on prepare: nothing is public, and the next attempt ends it",
  ),
  shown("§4.4 expires unused after 24 h", files, "that expired while it waited is uploaded again"),
  shown("§4.4 processing that fails", files, "that X cannot process is refused with X's reason"),
  shown("§4.5 threads", adapter, "a thread, each post replying to the one before"),
  shown(
    "§4.5 a refused post keeps those already out",
    engine,
    "stops at a post that is refused: what is out stays out and is told, what follows is not sent",
  ),
  shown("§4.6 alt text", adapter, "what images show, in words: once for each that has any, before the post"),
  shown("§4.7 permalink", adapter, "a text"),
  shown("§5.1 the table of weights", text, "a newer emoji with a skin tone"),
  shown("§5.1 as twitter-text counts", weight, "two thousand texts weigh what X's own library says"),
  shown(
    "§5.1 every known ending",
    weight,
    "every ending that the library knows makes a link, with a scheme and without",
  ),
  shown("§5.1 addresses of 4,096 and t.co names of 40", weight, "a short link at its longest"),
  shown("§5.1 U+FFFE, U+FEFF, U+FFFF", files, "characters that X takes for invalid are found in every format"),
  shown("§5.1 280, and one beyond", bounds, BOUND),
  shown("§5.1 280 for everyone, refused by X too", adapter, "a text that is too long"),
  shown("§0 one cashtag", bounds, BOUND),
  shown("§5.2 images, GIFs and videos: sizes, sides, ratios, seconds, frames, rates", bounds, BOUND),
  shown("§5.2 1080p is for subscribers", files, "a video of more than 1280 x 1024 pixels is warned of"),
  shown("§5.2 140 seconds, refused by X too", files, "longer than 140 seconds is refused by X as well"),
  shown("§5.3 the latest reset that is used up", table, "the wait lasts until the latest window that is used up opens"),
  shown("§5.3 told to wait", engine, "waits as long as told, uses up no attempt, then publishes once"),
  shown("§6 bad media id: uploaded again once", files, "that X no longer knows are uploaded once more"),
  shown("§6 reset after a rate limit", adapter, "a rate limit says how long to wait"),
  shown("§6 revoked token", adapter, "a revoked token"),
  shown("§7 read back after a lost answer", adapter, "drop_response: the post is found, and sent once"),
  shown("§7 links put back, media link removed, replies told apart", find, "media whose link has no entity"),
  shown("§7 a late answer", adapter, "an answer that comes too late: the post is found, and sent once"),
  shown("§7 a video in a thread", files, "in a thread, found after a lost answer"),
  shown(
    "§7 nothing found: UNKNOWN",
    engine,
    "no answer, and nothing to be seen for 15 minutes: UNKNOWN, said honestly, and never sent again",
  ),
  shown("§7 5xx on the final call", engine, "each repeat waits until what went before it would show"),
  shown("§7 duplicate without an attempt in doubt", adapter, "the same text again"),
  shown("§8.1 PKCE, redirect address, Basic", consent, "without Basic the confidential client is refused"),
  shown(
    "§8.2 two hours, rotation, parallel refreshes",
    consent,
    "a refresh ends the old pair at once; of two at the same time one is refused",
  ),
  shown("§8.3 scopes per call", posts, "a scope that was not granted"),
  shown("§8.4 281 letters", posts, "281 letters"),
  shown("§8.4 weighted as X counts", letters, "%j weighs %i"),
  shown("§8.5 unknown fields, counts of ids, nothing at all", posts, "an unknown nested field"),
  shown(
    "§8.6 media sets and foreign ids",
    posts,
    "sets that X does not know, and media of somebody else, too old or not ready",
  ),
  shown("§8.7 parts that add up", posts, "bytes have to add up and segments to be complete"),
  shown("§8.8 bytes, not what was declared", posts, "the one-shot form looks at the bytes and knows images only"),
  shown("§8.8 sizes", posts, "%s as %s is at most %i MB"),
  shown("§8.8 size at once", posts, "an image of more than 5 MB at once"),
  shown("§8.8 duration, dimensions, frames a second", posts, "a video that is $when fails in processing"),
  shown("§8.8 1080p for subscribers", posts, "1080p is for subscribers, which their profile tells"),
  shown(
    "§8.9 duplicates",
    posts,
    "the same text by the same account for a while, whatever the media; not by another account",
  ),
  shown("§8.10 replies", posts, "replies to others, unless they mentioned the account"),
  shown(
    "§8.11 rate windows",
    posts,
    "comes with the three rate headers counting down, and the 101st in a quarter of an hour is 429",
  ),
  shown("§8.11 no credits left", posts, "402: with no credits left no call is answered"),
  shown("§8.11 no credits left, as we take it", adapter, "credits that are used up: nobody's fault, and waited for"),
  shown("§8.12 one cashtag", posts, "two cashtags"),
  shown("§8.12 look-up by time", posts, "replies to oneself make a thread; the look-up by time shows it"),
  shown("§8.12 t.co links, ids above 2^53", posts, "is answered with t.co links and kept as it was sent"),
  ...codes(
    "token expired",
    "app-only token",
    "scope missing",
    "client forbidden",
    "duplicate",
    "duplicate of old",
    "reply",
    "quote",
    "too long",
    "too long with 403",
    "cashtags",
    "bad media id",
    "schema",
    "unsafe link",
    "generic",
    "no credits",
    "cap with 429",
    "cap with 403",
    "rate limited",
    "rate limited of old",
    "suspended",
    "locked",
    "spent refresh token",
    "dead code",
    "no Basic",
  ),
];
