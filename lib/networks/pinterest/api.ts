import { z } from "zod";
import { PlatformError } from "../errors";
import type { Destination, DestinationPart, NetworkCall, NetworkSession, OutgoingMedia, Profile } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { query } from "../wire/query";
import { jsonBody, multipart } from "../wire/request-body";

/** The first four are required to create a Pin (OpenAPI file, `pins/create`). */
export const SCOPES = ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"];

/**
 * Makes a call for the account. If Pinterest forbids it although all scopes were granted (for example another account's board,
 * or insufficient access of our application), the error is `rejected`, because connecting again would not help.
 */
async function callApi(session: NetworkSession, path: string, call?: NetworkCall): Promise<Response> {
  try {
    return await session.fetch(path, call);
  } catch (error) {
    const isForbidden = error instanceof PlatformError && error.kind === "reconnect" && error.answer?.status === 403;
    if (!isForbidden || !SCOPES.every((scope) => session.tokens.scopes?.includes(scope))) throw error;
    const { answer } = error;
    throw new PlatformError("rejected", `Pinterest does not allow this: ${answer?.message ?? "status 403"}`, {
      answer,
    });
  }
}

const userSchema = z.object({
  id: idSchema,
  username: z.string(),
  business_name: z.string().nullish(),
  profile_image: z.string().nullish(),
});

/** `user_account/get` */
export async function me(session: NetworkSession): Promise<Profile> {
  const user = await readAnswer("Pinterest", userSchema, await callApi(session, "/v5/user_account"));
  return {
    accountId: user.id,
    username: user.username,
    displayName: user.business_name || user.username,
    avatarUrl: user.profile_image || undefined,
  };
}

/**
 * Reads the calls that are left from the headers of an answer: with Trial access, the window is a day, otherwise a minute
 * (developers.pinterest.com/docs/reference/rate-limits). Undefined without such headers, whose form is not documented.
 */
export async function readAllowance(
  session: NetworkSession,
): Promise<{ limit: number; left: number; windowSeconds: number } | undefined> {
  const { headers } = await callApi(session, "/v5/user_account");
  const [, limit, windowSeconds] =
    /^\s*(\d+)\b(?:[^;]*;)+?\s*w=(\d+)/.exec(headers.get("x-ratelimit-limit") ?? "") ?? [];
  const left = headers.get("x-ratelimit-remaining");
  if (!limit || !windowSeconds || left === null) return undefined;
  return { limit: Number(limit), left: Number.parseInt(left, 10), windowSeconds: Number(windowSeconds) };
}

const pageSize = "250";
const MOST_PAGES = 20;
const listSchema = z.object({
  items: z.array(z.object({ id: idSchema, name: z.string(), is_ads_only: z.boolean().nullish() })),
  bookmark: z.string().nullish(),
});

/** `boards/list`; an account can have 2,000 boards. Boards for ads only are left out. */
export async function listBoards(session: NetworkSession): Promise<Destination[]> {
  const boards = (await listAll(session, "/v5/boards")).filter(({ is_ads_only }) => !is_ads_only);
  return boards.map(({ id, name }) => ({ id, title: name, type: "BOARD" }));
}

/** `board_sections/list` */
export async function listSections(session: NetworkSession, board: string): Promise<DestinationPart[]> {
  const sections = await listAll(session, `/v5/boards/${encodeURIComponent(board)}/sections`);
  return sections.map(({ id, name }) => ({ id, title: name }));
}

/** Reads all pages of a list. */
async function listAll(session: NetworkSession, path: string) {
  const items: z.output<typeof listSchema>["items"] = [];
  for (let bookmark: string | undefined, pages = 0; pages < MOST_PAGES; pages++) {
    const answer = await callApi(session, `${path}?${query({ page_size: pageSize, bookmark })}`);
    const page = await readAnswer("Pinterest", listSchema, answer);
    items.push(...page.items);
    if (!page.bookmark) break;
    bookmark = page.bookmark;
  }
  return items;
}

const uploadSchema = z.object({
  media_id: idSchema,
  upload_url: z.url(),
  upload_parameters: z.record(z.string(), z.string()),
});

/** `media/create`: opens the upload of a video. */
export async function registerMedia(session: NetworkSession) {
  const call = { method: "POST", ...json({ media_type: "video" }) };
  return readAnswer("Pinterest", uploadSchema, await callApi(session, "/v5/media", call));
}

/** `media/create`, then a form to Pinterest's file store: all parameters as fields, the file last, without our credentials. */
export async function uploadVideo(session: NetworkSession, video: OutgoingMedia): Promise<string> {
  const registered = await registerMedia(session);
  const form = multipart({ ...registered.upload_parameters, file: { ...video, open: () => video.open() } });
  const upload = { method: "POST", ...form, auth: "none" as const, timeoutSeconds: 300 };
  await session.fetch(registered.upload_url, upload).catch((error: unknown) => {
    // The answer is from the file store, not from Pinterest: if its policy has expired, a new registration helps.
    if (!(error instanceof PlatformError) || error.answer?.status !== 403) throw error;
    throw new PlatformError("later", "Pinterest's file store did not accept the video right now", {
      answer: error.answer,
    });
  });
  return registered.media_id;
}

const statusSchema = z.object({ status: z.string() });

/** `media/get`: `registered`, `processing`, `succeeded` or `failed`. */
export async function videoStatus(session: NetworkSession, mediaId: string): Promise<string> {
  return (await readAnswer("Pinterest", statusSchema, await callApi(session, `/v5/media/${mediaId}`))).status;
}

export type NewPin = {
  board_id: string;
  board_section_id?: string;
  title?: string;
  description?: string;
  link?: string;
  alt_text?: string;
  dominant_color?: string;
  media_source: object;
};

const createdSchema = z.object({ id: idSchema });

/** `pins/create` */
export async function createPin(session: NetworkSession, pin: NewPin): Promise<string> {
  const call = { method: "POST", ...jsonBody(pin), timeoutSeconds: 120 };
  return (await readAnswer("Pinterest", createdSchema, await callApi(session, "/v5/pins", call))).id;
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const pinSchema = z.object({
  id: idSchema,
  created_at: z.string(),
  board_section_id: idSchema.nullish(),
  title: text,
  description: text,
  link: text,
  alt_text: text,
});
const pinsSchema = z.object({ items: z.array(pinSchema), bookmark: z.string().nullish() });

export type ListedPin = z.output<typeof pinSchema>;

export const PINS_LISTED = 25;

/** `boards/list_pins` or `board_sections/list_pins`: the newest Pins. */
export async function newestPins(
  session: NetworkSession,
  board: string,
  section: string | undefined,
): Promise<{ pins: ListedPin[]; hasMore: boolean }> {
  const place = section ? `/v5/boards/${board}/sections/${section}` : `/v5/boards/${board}`;
  const answer = await callApi(session, `${place}/pins?page_size=${PINS_LISTED}`);
  const { items, bookmark } = await readAnswer("Pinterest", pinsSchema, answer);
  return { pins: items, hasMore: Boolean(bookmark) };
}

function json(fields: object) {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(fields) };
}
