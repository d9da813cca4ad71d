import { z } from "zod";
import type { Call } from "../core/network";
import { errors, YouTubeError } from "./request";
import type { Upload } from "./state";

/** The assignable categories (videoCategories.list, US). */
const CATEGORIES = ["1", "2", "10", "15", "17", "19", "20", "22", "23", "24", "25", "26", "27", "28"];

const Body = z.looseObject({
  snippet: z
    .looseObject({
      title: z.string().optional(),
      description: z.string().optional(),
      categoryId: z.string().optional(),
      tags: z.array(z.string()).optional(),
    })
    .optional(),
  status: z
    .looseObject({
      privacyStatus: z.string().optional(),
      selfDeclaredMadeForKids: z.boolean().optional(),
      containsSyntheticMedia: z.boolean().optional(),
    })
    .optional(),
});

/**
 * Parses and validates the metadata of a video before its bytes are uploaded. Source: videos.insert, errors.
 * @throws YouTubeError
 */
export function metadataOf(call: Call, body: unknown, account: string, parts: string[]): Upload["video"] {
  const parsed = Body.safeParse(body);
  if (!parsed.success) throw errors.badRequest("Invalid JSON payload received.");
  // Properties whose part is not listed in `part` are ignored.
  const snippet = parts.includes("snippet") ? (parsed.data.snippet ?? {}) : {};
  const status = parts.includes("status") ? (parsed.data.status ?? {}) : {};
  const { title = "", description = "", categoryId = "22", tags = [] } = snippet;
  if (title.trim() === "" || [...title].length > 100 || /[<>]/.test(title))
    throw errors.invalid("invalidTitle", "The request metadata specifies an invalid or empty video title.");
  if (Buffer.byteLength(description) > 5000 || /[<>]/.test(description))
    throw errors.invalid("invalidDescription", "The request metadata specifies an invalid video description.");
  if (!CATEGORIES.includes(categoryId))
    throw errors.invalid("invalidCategoryId", "The request metadata specifies an invalid video category ID.");
  if (lengthOf(tags) > 500)
    throw errors.invalid("invalidTags", "The request metadata specifies invalid video keywords.");
  const privacy = privacyOf(status.privacyStatus ?? "public");
  const { selfDeclaredMadeForKids: madeForKids, containsSyntheticMedia } = status;
  const notifiesSubscribers = call.req.query("notifySubscribers") !== "false";
  const declared = { madeForKids, containsSyntheticMedia, notifiesSubscribers };
  return { account, title, description, categoryId, tags, privacy, ...declared, captions: [] };
}

/** The length of all tags: commas between them count, and so do quotes around tags with spaces. */
function lengthOf(tags: string[]): number {
  return [...tags.map((tag) => (tag.includes(" ") ? `"${tag}"` : tag)).join(",")].length;
}

/**
 * Parses a privacy status, which must be in lower case.
 * @throws YouTubeError
 */
function privacyOf(value: string): "public" | "unlisted" | "private" {
  if (value === "public" || value === "unlisted" || value === "private") return value;
  throw new YouTubeError(400, "badRequest", `Invalid value at 'resource.status.privacy_status' (${value})`);
}
