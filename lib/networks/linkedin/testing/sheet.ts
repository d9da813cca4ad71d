import type { Sheet, SheetRow } from "../../testing/sheet";

const adapter = "lib/networks/linkedin/linkedin.test.ts";
const errors = "lib/networks/linkedin/errors.test.ts";
const limits = "lib/networks/linkedin/limits.test.ts";
const videos = "lib/networks/linkedin/video.test.ts";
const cards = "lib/networks/linkedin/card.test.ts";
const little = "lib/networks/linkedin/little.test.ts";
const engine = "lib/schedules/publish/publish-linkedin.test.ts";
const consent = "sandbox/linkedin/oauth.test.ts";
const posts = "sandbox/linkedin/posts.test.ts";

const shown = (row: string, file: string, test: string): SheetRow => ({ row, proof: { file, test } });

/** What LinkedIn's contract asks for, and the test that shows it. */
export const sheet: Sheet = [
  shown(
    "§1 code for a token, credentials in the body",
    adapter,
    "answers a token of 60 days and the scopes granted; no refresh token, as usual",
  ),
  shown(
    "§1 refresh where there is a refresh token",
    adapter,
    "answers a new token to an approved partner, as often as it is asked within the year",
  ),
  shown(
    "§1 no refresh token",
    engine,
    "has ended and there is no refresh token: the person is asked for, nothing is sent",
  ),
  shown("§1 denied", adapter, "is denied with an error"),
  shown("§1 token endpoint errors", adapter, "a wrong code asks for another sign-in"),
  shown("§2 identity", adapter, "reads who the member is; the name stands in for a handle"),
  shown("§4.1 text", adapter, "a text with everything that the format reserves"),
  shown("§4.1 visibility", adapter, "to %s"),
  shown("§4.1 GROUP warns and fails", engine, "GROUP is taken with a warning, and fails with the reason"),
  shown("§4.1 card for a link", cards, "a link has a card: title, description and picture as its page says"),
  shown("§4.1 no card where there is none", cards, "a page without a title has no card: %s"),
  shown("§4.2 single image", adapter, "an image, with and without a text"),
  shown(
    "§4.2 an image that is not ready, one that failed",
    adapter,
    "an image that is still worked on is posted later, one that failed is sent once more",
  ),
  shown("§4.3 2–20 images", adapter, "%i images, in their order"),
  shown("§4.4 video in parts, in order", videos, "a video in three parts, put together in their order"),
  shown("§4.4 resumed after a cut", videos, "a cut in the middle: only the parts that are missing are sent"),
  shown(
    "§4.4 polls, and 403 to them",
    videos,
    "a video whose state may not be looked at waits instead, and LinkedIn has the last word",
  ),
  shown("§4.4 thumbnail", videos, "a video with a picture that stands for it"),
  shown("§4.5 one post a publication", engine, "more than one post is refused at once"),
  shown("§4.6 escapes", little, "every reserved character"),
  shown("§4.6 hashtags", little, "a hashtag with an underscore"),
  shown("§4.6 mentions", adapter, "a mention by its URN"),
  shown("§4.7 permalink", engine, "a text, an image, several images, a video and one with a cover: each goes out once"),
  shown("§5 text 3,000", limits, "3,001 characters"),
  shown("§5 images per post", limits, "21 images"),
  shown("§5 image format", limits, "a WebP"),
  shown("§5 frames", limits, "251 frames"),
  shown("§5 image pixels", limits, "36,152,320 pixels that move"),
  shown("§5 video format", limits, "a MOV"),
  shown("§5 video length, least", limits, "2.9 seconds"),
  shown("§5 video length, most", limits, "a second more"),
  shown("§5 video size, least", limits, "a byte less"),
  shown("§5 video size, most", limits, "a byte more"),
  shown("§5 a day's calls", adapter, "a day's calls: until midnight UTC"),
  shown("§6 token expired", errors, "an expired token"),
  shown("§6 token revoked", engine, "is revoked on the final call: failed, and the account asks for its person"),
  shown("§6 token invalid, empty", errors, "any other 401"),
  shown("§6 scope missing", errors, "a missing scope"),
  shown("§6 media of someone else", errors, "a video of somebody else"),
  shown("§6 duplicate", errors, "a duplicate is marked as such, and its answer names the first post"),
  shown("§6 missing or unknown field", errors, "a missing field"),
  shown("§6 not JSON", errors, "no JSON"),
  shown("§6 bad value", errors, "a bad value"),
  shown("§6 too long", errors, "a text that is too long"),
  shown("§6 media not ready", errors, "the same, named in the message"),
  shown("§6 media failed", videos, "a video that fails in processing is sent once more, and no more than that"),
  shown("§6 upload URL too old", videos, "an upload address that ended: the upload begins anew"),
  shown("§6 upload refused", errors, "a file that is too large"),
  shown("§6 version", adapter, "a version that has ended keeps the post waiting, and blames no account"),
  shown("§6 conflict", errors, "a conflict"),
  shown(
    "§6 rate limited by the day",
    errors,
    "a day's limit lasts until midnight UTC, another one as long as we think",
  ),
  shown("§6 rate limited", engine, "told to slow down: waits, uses up no attempt, then posts once"),
  shown("§6 transient", errors, "a gateway's page"),
  shown("§7 the identical repeat", engine, "%s on the final call: asked by sending it again, and out once"),
  shown("§7 nothing is uploaded again", videos, "after a lost answer nothing is uploaded again"),
  shown(
    "§7 after ten minutes",
    engine,
    "found out after ten minutes only: UNKNOWN, and not asked, because that could double it",
  ),
  shown(
    "§7 a real duplicate",
    adapter,
    "the same post again, without an unclear attempt before it: the other one is not adopted",
  ),
  shown("§7 201 without x-restli-id", adapter, "an answer without the id: out, its address unknown, never sent again"),
  shown("§8.1 version and protocol", consent, "a version that has ended"),
  shown("§8.1 encoded URNs", posts, "is looked at by its encoded URN, by its own member, where that is allowed at all"),
  shown("§8.2 body credentials", consent, "credentials stand in the body; Basic does not count"),
  shown(
    "§8.2 60 days, a year at most",
    consent,
    "an approved partner's refresh token lasts a year from the consent, however often it is used",
  ),
  shown(
    "§8.3 another scope set ends older tokens",
    consent,
    "a consent with other scopes ends the member's earlier tokens; one with the same does not",
  ),
  shown(
    "§8.3 ungranted scopes",
    consent,
    "a scope that the application has not been granted fails the whole authorization",
  ),
  shown("§8.3 cancel", consent, "allow gives code and state, deny tells that the member cancelled"),
  shown("§8.4 id in the header", posts, "is answered with an empty body, its id in a header"),
  shown("§8.5 little", posts, "ends at the first reserved character that is left bare, and is 201 all the same"),
  shown("§8.6 required and unknown fields", posts, "an unknown field"),
  shown("§8.6 3,000 characters, GROUP", posts, "3,001 characters"),
  shown("§8.7 ownership", posts, "an author, an owner or a medium of somebody else; a group"),
  shown("§8.7 kinds do not mix", posts, "from 2 to 20 in their order, never one, never with a video"),
  shown("§8.8 image with a token", posts, "are put with the token, in one request, and are JPEG, PNG or GIF"),
  shown("§8.8 parts without", posts, "takes no token with its parts, and exactly their bytes"),
  shown("§8.8 tags and order", posts, "whose parts are named in another order is scrambled, and 200 all the same"),
  shown("§8.8 all parts", posts, "is finished only when all parts are there, with its own token"),
  shown("§8.9 states", posts, "comes in parts of 4 MiB, the last range beyond its end, and is ready after some looks"),
  shown("§8.9 images are not looked at", posts, "are worked on, and posted only then; a member's token may not look"),
  shown("§8.10 duplicates", posts, "is the same one for ten minutes, by one author"),
  shown("§8.11 150 a day", consent, "150 calls a member and UTC day, then 429 in words only"),
  shown("§8.12 401 bodies", consent, "is told why it is dead"),
  shown("§8.12 403 with method and version", consent, "without the scope to post may not"),
  shown("§8.12 no reading", consent, "a member's posts are nobody's to read"),
];
