import * as z from "zod";
import type { Call } from "../core/network";
import { boardOf, sectionOf, timeOf } from "./boards";
import { MediaSource, mediaOf, type PinMedia } from "./media-source";
import {
  invalid,
  jsonBody,
  notPermitted,
  type PinterestSession,
  pageOf,
  sessionOf,
  suspectedSpam,
  textOf,
} from "./request";
import type { Pin, PinterestState } from "./state";

const id = z.string().regex(/^\d+$/);

/** `PinCreate` of the OpenAPI file. */
const NewPin = z.strictObject({
  board_id: id,
  board_section_id: id.nullish(),
  title: textOf(100),
  description: textOf(800),
  link: textOf(2048),
  alt_text: textOf(500),
  dominant_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .nullish(),
  media_source: MediaSource,
  parent_pin_id: id.nullish(),
  sponsor_id: id.nullish(),
});
type NewPin = z.output<typeof NewPin>;

const SCOPES = ["boards:read", "boards:write", "pins:read", "pins:write"];

/** `POST /v5/pins`: duplicates are accepted. */
export async function createPin(state: PinterestState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "write", SCOPES);
  if (state.switches.spam) throw suspectedSpam();
  const body = await jsonBody(call, NewPin);
  assertTexts(state, body);
  if (body.link && !/^https?:\/\//.test(body.link)) throw invalid("Invalid link: it must be an http or https URL");
  const board = boardOf(state, session, body.board_id);
  if (board.privacy === "SECRET" && !session.scopes.includes("pins:write_secret")) throw notPermitted();
  if (body.board_section_id) sectionOf(board, body.board_section_id);
  const media = await mediaOf(state, session, body.media_source);
  return call.json(
    present(
      session,
      state.world.transaction(() => storePin(state, session, body, media)),
    ),
    201,
  );
}

/** Counts texts in UTF-16 units, if the switch says so. The schema has counted their code points. */
function assertTexts({ switches }: PinterestState, { title, description, alt_text }: NewPin): void {
  if (switches.textUnit === "code points") return;
  const texts = { title: [title, 100], description: [description, 800], alt_text: [alt_text, 500] } as const;
  for (const [name, [text, max]] of Object.entries(texts))
    if ((text ?? "").length > max) throw invalid(`Invalid ${name}: constraint: maxLength=${max}`);
}

function storePin(state: PinterestState, { account }: PinterestSession, body: NewPin, media: PinMedia): Pin {
  const pinId = state.world.ids.snowflake();
  const createdAt = state.world.clock.now();
  const { title, link, alt_text: altText, board_section_id: boardSectionId, dominant_color: dominantColor } = body;
  const { cover, keyFrame, coverIndex } = media;
  const given = { title, link, altText, boardSectionId, dominantColor, cover, keyFrame, coverIndex };
  state.world.posts.add({
    id: pinId,
    network: "pinterest",
    account,
    text: body.description ?? "",
    media: media.files,
    chatId: body.board_id,
    settings: {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null)),
      ...(state.switches.trial ? { visibleTo: account } : {}),
    },
    permalink: `https://www.pinterest.com/pin/${pinId}/`,
    receivedTime: new Date(createdAt).toISOString(),
  });
  return state.addPin({
    id: pinId,
    account,
    board: body.board_id,
    section: boardSectionId ?? null,
    title: title ?? null,
    description: body.description ?? null,
    link: link ?? null,
    altText: altText ?? null,
    dominantColor: dominantColor ?? null,
    mediaType: media.type,
    createdAt,
  });
}

/** `GET /v5/boards/{board_id}/pins`, newest first. */
export function listPins(state: PinterestState, call: Call): Response {
  const session = sessionOf(state, call, "read", ["boards:read", "pins:read"]);
  return pinsOn(state, call, session, () => true);
}

/** `GET /v5/boards/{board_id}/sections/{section_id}/pins`. */
export function listSectionPins(state: PinterestState, call: Call): Response {
  const session = sessionOf(state, call, "read", ["boards:read", "pins:read"]);
  const board = boardOf(state, session, call.req.param("board") ?? "");
  const section = sectionOf(board, call.req.param("section") ?? "");
  return pinsOn(state, call, session, (pin) => pin.section === section.id);
}

function pinsOn(
  state: PinterestState,
  call: Call,
  session: PinterestSession,
  isShown: (pin: Pin) => boolean,
): Response {
  const board = boardOf(state, session, call.req.param("board") ?? "");
  const listedUntil = state.world.clock.now() - state.switches.listedAfterSeconds * 1000;
  const pins = state.pinsOn(board.id).filter((pin) => pin.createdAt <= listedUntil && isShown(pin));
  const { items, bookmark } = pageOf(call, state.switches.newestFirst ? [...pins].reverse() : pins);
  return call.json({ items: items.map((pin) => present(session, pin)), bookmark });
}

function present({ account }: PinterestSession, pin: Pin) {
  return {
    id: pin.id,
    board_id: pin.board,
    board_section_id: pin.section,
    board_owner: { username: account },
    created_at: timeOf(pin.createdAt),
    title: pin.title,
    description: pin.description,
    link: pin.link,
    alt_text: pin.altText,
    creative_type: pin.mediaType === "video" ? "VIDEO" : pin.mediaType === "image" ? "REGULAR" : "CAROUSEL",
    media: { media_type: pin.mediaType },
    parent_pin_id: null,
    is_owner: true,
    is_standard: true,
    has_been_promoted: false,
    dominant_color: pin.dominantColor ?? null,
    pin_metrics: null,
  };
}
