import type { Sheet, SheetRow } from "../../testing/sheet";

const adapter = "lib/networks/telegram/telegram.test.ts";
const files = "lib/networks/telegram/media.test.ts";
const errors = "lib/networks/telegram/errors.test.ts";
const bots = "lib/connect/bots.test.ts";
const bounds = "lib/schedules/check/bounds.test.ts";
const engine = "lib/schedules/publish/publish-telegram.test.ts";
const send = "sandbox/telegram/send.test.ts";
const receiving = "sandbox/telegram/updates.test.ts";
const limits = "sandbox/telegram/limits.test.ts";

const shown = (row: string, file: string, test: string): SheetRow => ({ row, proof: { file, test } });
const BOUND = "$when: $of inside the bound, at it, and one beyond it";

/** What Telegram's contract asks for, and the test that shows it. */
export const sheet: Sheet = [
  shown("§1.1 the start address", adapter, "the start address hands the bot a code"),
  shown("§1.1 code, person and channels", adapter, "the person's code, and the chats that the bot was given"),
  shown("§1.1 a code from a person in private only", adapter, "a start code comes from a person in private only"),
  shown("§1.1 through the engine, once and in time", bots, "counts once, and not after its time"),
  shown("§1.1 rights by kind of chat", adapter, "in a %s as %j: %s"),
  shown("§1.1 a removed bot", files, "one that threw the bot out"),
  shown("§1.2 getUpdates acknowledges", adapter, "what was read once does not come again"),
  shown(
    "§1.4 group that became a supergroup: sent to under its new id",
    files,
    "one that became a supergroup is told of, and sent to under its new id",
  ),
  shown("§1.4 its stored id", bots, "a group that became a supergroup keeps its place in the list, under its new id"),
  shown("§1.4 somebody else's channel", adapter, "somebody else's channel"),
  shown("§2 identity", adapter, "reads whose account it is"),
  shown("§4 text", adapter, "a text, with its permalink"),
  shown(
    "§4 plain text, whatever signs it holds",
    engine,
    "a message, a photo, an album, and several messages in order",
  ),
  shown("§4 one image", adapter, "an image with a caption"),
  shown("§4 one video with its cover", files, "a video with its cover"),
  shown("§4 moving images", files, "a moving image, which no album takes"),
  shown("§4 2 to 10 media, mixed, caption first", files, "an album of ten, mixed, with its text on the first"),
  shown("§4 more than ten", files, "an album of eleven is refused by Telegram as well"),
  shown("§4 message_id 0", files, "a video that is still worked on has no permalink"),
  shown("§4 permalinks", adapter, "the links of public, private and nameless chats"),
  shown("§4 a private channel", adapter, "into a private channel"),
  shown("§4 whitespace only", adapter, "a text of spaces"),
  shown("§4 50 MB, more on a server of one's own", files, "of files: 50 MB, and 2,000 MB on a server of one's own"),
  shown("§4 a file at the limit and beyond", files, "a file of 50 MB goes, a larger one does not"),
  shown("§4 sides of a photo", files, "an image whose sides are 20 to 1"),
  shown("§5 4,096 in code points", files, "a text is counted in code points, at 4,096 and beyond"),
  shown("§5 1,024 beside media", files, "beside media 1,024 and beyond"),
  shown("§5 all limits at their bounds", bounds, BOUND),
  shown("§5 retry_after obeyed", engine, "told to wait: waits, uses up no attempt, sends once"),
  shown("§6 every answer of the table", errors, "every documented answer"),
  shown("§6 parameters", errors, "the wait and the new id are in the parameters"),
  shown(
    "§6 the operator's token, never shown",
    adapter,
    "a wrong bot token is the operator's fault, and is never shown",
  ),
  shown("§6 rights for each kind of file", files, "rights are for each kind of file"),
  shown("§7 a lost answer of a text", adapter, "%s: unknown, and never sent again"),
  shown("§7 a lost answer of files", files, "%s: unknown, and never sent again"),
  shown(
    "§7 fail-point before the final call",
    files,
    "while rights are asked for: nothing was sent, and the next attempt ends it",
  ),
  shown(
    "§7 UNKNOWN through the engine",
    engine,
    "the answer is lost: UNKNOWN, said honestly, with one post and never another",
  ),
  shown(
    "§7 cut before it took effect",
    engine,
    "the call is cut before it took effect: UNKNOWN as well, and not sent again",
  ),
  shown(
    "§8.2 chats unknown and lost",
    send,
    "a channel never met is not found, one that threw the bot out is forbidden",
  ),
  shown(
    "§8.3 updates by both ways",
    receiving,
    "a webhook gets its secret and the update again until it answers 2xx; getUpdates is 409 meanwhile",
  ),
  shown("§8.3 kept for 24 hours", receiving, "updates are kept for 24 hours"),
  shown(
    "§8.4 lengths after parsing and trimming",
    send,
    "lengths are counted in code points: 4096 emoji go, one more does not",
  ),
  shown("§8.5 albums", send, "an album is several messages of one group and one post"),
  shown("§8.6 by address and by id", send, "a video is sent by address, and again by its id"),
  shown("§8.7 20 a minute", limits, "20 messages a minute and channel, album items counted; then 429 with the seconds"),
  shown(
    "§8.9 no de-duplication",
    send,
    "text is trimmed, its entities found in UTF-16 units, and it may be sent again and again",
  ),
  shown("§8.10 formatting modes", send, "HTML and MarkdownV2 are parsed, and refused where they are wrong"),
];
