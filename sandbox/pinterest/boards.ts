import * as z from "zod";
import type { Call } from "../core/network";
import { avatarPath } from "../core/users";
import { boardNotFound, invalid, jsonBody, type PinterestSession, pageOf, sectionNotFound, sessionOf } from "./request";
import { type Board, type PinterestState, type Section, userId } from "./state";

const PRIVACIES = ["ALL", "PUBLIC", "PROTECTED", "SECRET", "PUBLIC_AND_SECRET"];

/** `GET /v5/boards`: the user's boards. Secret ones need their own scope. */
export function listBoards(state: PinterestState, call: Call): Response {
  const session = sessionOf(state, call, "read", ["boards:read"]);
  const privacy = call.req.query("privacy") ?? "ALL";
  if (!PRIVACIES.includes(privacy)) throw invalid(`'${privacy}' is not one of [${PRIVACIES.join(", ")}]`);
  const boards = state
    .boardsOf(session.account)
    .filter((board) => isShownTo(session, board))
    .filter((board) => ["ALL", "PUBLIC_AND_SECRET", board.privacy].includes(privacy));
  const { items, bookmark } = pageOf(call, boards);
  return call.json({ items: items.map((board) => present(state, session, board)), bookmark });
}

const NewBoard = z.strictObject({
  name: z.string().min(1).max(180),
  description: z.string().nullish(),
  privacy: z.enum(["PUBLIC", "PROTECTED", "SECRET"]).default("PUBLIC"),
  is_ads_only: z.boolean().default(false),
});

/** `POST /v5/boards`. */
export async function createBoard(state: PinterestState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "write", ["boards:read", "boards:write"]);
  const body = await jsonBody(call, NewBoard);
  const board = state.addBoard(session.account, {
    id: state.world.ids.snowflake(),
    name: body.name,
    privacy: body.privacy === "SECRET" ? "SECRET" : "PUBLIC",
    isAdsOnly: body.is_ads_only,
    sections: [],
    createdAt: state.world.clock.now(),
  });
  return call.json(present(state, session, board), 201);
}

const Deleted = z.strictObject({ account: z.string(), board: z.string() });

/** `POST /_control/pinterest/delete-board`: deletes a board, as a user does on Pinterest's website. */
export function deleteBoard(state: PinterestState, body: unknown): Response {
  const { account, board } = Deleted.parse(body);
  state.deleteBoard(account, board);
  return new Response(null, { status: 204 });
}

/** `GET /v5/boards/{board_id}/sections`. */
export function listSections(state: PinterestState, call: Call): Response {
  const session = sessionOf(state, call, "read", ["boards:read"]);
  return call.json(pageOf(call, boardOf(state, session, call.req.param("board") ?? "").sections));
}

/** Secret boards are visible only with the scope for secret boards. */
function isShownTo({ scopes }: PinterestSession, { privacy }: Board): boolean {
  return privacy === "PUBLIC" || scopes.includes("boards:read_secret");
}

/**
 * The board with this id, if it belongs to the caller.
 * @throws PinterestError
 */
export function boardOf(state: PinterestState, session: PinterestSession, id: string): Board {
  if (!/^\d+$/.test(id)) throw invalid(`'${id}' does not match '^\\\\d+$'`);
  const board = state.boardsOf(session.account).find((own) => own.id === id && isShownTo(session, own));
  if (!board) throw boardNotFound();
  return board;
}

export function sectionOf(board: Board, id: string): Section {
  if (!/^\d+$/.test(id)) throw invalid(`'${id}' does not match '^\\\\d+$'`);
  const section = board.sections.find((own) => own.id === id);
  if (!section) throw sectionNotFound();
  return section;
}

function present(state: PinterestState, { account }: PinterestSession, board: Board) {
  const pins = state.pinsOn(board.id);
  return {
    id: board.id,
    name: board.name,
    description: null,
    privacy: board.privacy,
    owner: { username: account },
    pin_count: pins.length,
    collaborator_count: 0,
    follower_count: 0,
    is_ads_only: board.isAdsOnly,
    created_at: timeOf(board.createdAt),
    board_pins_modified_at: timeOf(pins.at(-1)?.createdAt ?? board.createdAt),
    media: { image_cover_url: null, pin_thumbnail_urls: [] },
  };
}

/** Pinterest's time format: UTC to the second, without an offset. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19);
}

/** `GET /v5/user_account`. */
export function userAccount(state: PinterestState, call: Call): Response {
  const { account } = sessionOf(state, call, "read", ["user_accounts:read"]);
  const person = state.world.users.findOrCreate("pinterest", account);
  return call.json({
    id: userId(account),
    username: person.name,
    account_type: "BUSINESS",
    business_name: person.displayName,
    profile_image: new URL(avatarPath("pinterest", person.name), call.req.url).href,
    website_url: "",
    about: "",
    board_count: state.boardsOf(account).length,
    pin_count: 0,
    follower_count: 0,
    following_count: 0,
    monthly_views: 0,
  });
}
