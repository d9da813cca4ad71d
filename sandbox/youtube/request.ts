import type { Call } from "../core/network";
import type { YouTubeState } from "./state";

const PREFIX = "https://www.googleapis.com/auth/";
export const SCOPES: Record<string, string> = {
  [`${PREFIX}youtube`]: "manage your YouTube account",
  [`${PREFIX}youtube.force-ssl`]:
    "see, edit, and permanently delete your YouTube videos, ratings, comments and captions",
  [`${PREFIX}youtube.readonly`]: "view your YouTube account",
  [`${PREFIX}youtube.upload`]: "manage your YouTube videos",
};
const WHOLE = ["youtube", "youtube.force-ssl"];

export type YouTubeSession = { account: string; grant: string };

/** Authenticates a call: token, one of the scopes and the quota units that the call costs. */
export function sessionOf(state: YouTubeState, call: Call, scopes: string[], units: number): YouTubeSession {
  const live = state.grants.findToken(bearer(call), "access");
  if (!live) throw errors.badToken();
  call.get("entry").account = live.account;
  const isCovered = [...WHOLE, ...scopes].some((scope) => live.scopes.includes(PREFIX + scope));
  if (!isCovered) throw errors.noScope();
  if (!state.spend("units", units)) throw errors.quota();
  return { account: live.account, grant: live.grant };
}

export function bearer(call: Call): string {
  const [scheme, token] = (call.req.header("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? (token ?? "") : "";
}

/**
 * Parses the required parameter `part`.
 * @throws YouTubeError for unknown parts
 */
export function partsOf(call: Call, known: string[]): string[] {
  const parts = (call.req.queries("part") ?? []).flatMap((part) => part.split(",")).filter(Boolean);
  const where = { location: "part", locationType: "parameter" };
  if (parts.length === 0)
    throw new YouTubeError(400, "missingRequiredParameter", "No filter selected. Expected one of: part", where);
  const unknown = parts.find((part) => !known.includes(part));
  if (unknown) throw new YouTubeError(400, "unknownPart", `'${unknown}'`, { domain: "youtube.part", ...where });
  return parts;
}

/** A resource with only the requested parts. kind, etag and id are always included. */
export function pickParts(resource: Record<string, unknown>, parts: string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => ["kind", "etag", "id"].includes(name) || parts.includes(name)),
  );
}

type Status = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 429 | 500 | 503;

/** An error in the Data API's envelope. Source: developers.google.com/youtube/data/reference/rest/v3/errors. */
export class YouTubeError extends Error {
  constructor(
    readonly status: Status,
    readonly reason: string,
    message: string,
    readonly detail: { domain?: string; location?: string; locationType?: string } = {},
  ) {
    super(message);
  }
}

const video = { domain: "youtube.video", location: "body.snippet", locationType: "other" };

export const errors = {
  badToken: () =>
    new YouTubeError(
      401,
      "authError",
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
      { domain: "global", location: "Authorization", locationType: "header" },
    ),
  noScope: () => new YouTubeError(403, "insufficientPermissions", "Request had insufficient authentication scopes."),
  noChannel: () => new YouTubeError(401, "youtubeSignupRequired", "Unauthorized", { domain: "youtube.header" }),
  invalid: (reason: string, message: string) => new YouTubeError(400, reason, message, video),
  badRequest: (message: string) => new YouTubeError(400, "badRequest", message),
  notEnabled: () =>
    new YouTubeError(
      403,
      "accessNotConfigured",
      "YouTube Data API v3 has not been used in project 100000000001 before or it is disabled.",
      { domain: "usageLimits" },
    ),
  quota: () =>
    new YouTubeError(
      403,
      "quotaExceeded",
      'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
      { domain: "youtube.quota" },
    ),
  uploadLimit: () =>
    new YouTubeError(400, "uploadLimitExceeded", "The user has exceeded the number of videos they may upload.", {
      domain: "youtube.video",
    }),
  rateLimit: () => new YouTubeError(429, "rateLimitExceeded", "Rate limit exceeded", { domain: "usageLimits" }),
  noVideo: () =>
    new YouTubeError(
      404,
      "videoNotFound",
      "The video that you are trying to insert a thumbnail image for cannot be found.",
      {
        domain: "youtube.thumbnail",
      },
    ),
  noPlaylist: () =>
    new YouTubeError(
      404,
      "playlistNotFound",
      "The playlist identified with the request's playlistId parameter cannot be found.",
      {
        domain: "youtube.playlistItem",
      },
    ),
  playlistFull: () =>
    new YouTubeError(
      403,
      "playlistContainsMaximumNumberOfVideos",
      "The playlist already contains the maximum allowed number of items.",
      { domain: "youtube.playlistItem" },
    ),
  noPlaylistVideo: () =>
    new YouTubeError(404, "videoNotFound", "The video that you are trying to add to the playlist cannot be found.", {
      domain: "youtube.playlistItem",
    }),
  noCaptionedVideo: () =>
    new YouTubeError(404, "videoNotFound", "The video identified by the videoId parameter could not be found.", {
      domain: "youtube.caption",
    }),
  noCaptions: () =>
    new YouTubeError(400, "contentRequired", "The request does not contain the caption track contents.", {
      domain: "youtube.caption",
    }),
  captionExists: () =>
    new YouTubeError(
      409,
      "captionExists",
      "The specified video already has a caption track with the given language and name.",
      { domain: "youtube.caption" },
    ),
  noSession: () => new YouTubeError(404, "notFound", "Requested entity was not found."),
  sessionGone: () => new YouTubeError(410, "gone", "The upload session no longer exists."),
  noCustomThumbnails: () =>
    new YouTubeError(
      403,
      "forbidden",
      "The authenticated user doesn't have permissions to upload and set custom video thumbnails.",
      {
        domain: "youtube.thumbnail",
      },
    ),
  badImage: () =>
    new YouTubeError(400, "invalidImage", "The provided image content is invalid.", { domain: "youtube.thumbnail" }),
  tooLarge: (limit: number, status: 400 | 413 = 413) =>
    new YouTubeError(status, "uploadTooLarge", `Media is too large. Limit: ${limit}`),
  internal: () => new YouTubeError(500, "backendError", "Backend Error"),
};

/** An error of Google's token endpoint, in the flat format of RFC 6749. */
export class TokenError extends Error {
  constructor(
    readonly error: string,
    readonly description: string,
    readonly status: 400 | 401 = 400,
  ) {
    super(description);
  }
}

export function invalidRefreshToken(): TokenError {
  return new TokenError("invalid_grant", "Token has been expired or revoked.");
}

export function invalidCode(): TokenError {
  return new TokenError("invalid_grant", "Malformed auth code.");
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof TokenError)
    return call.json({ error: error.error, error_description: error.description }, error.status);
  if (error instanceof YouTubeError) return envelope(call, error);
  process.stderr.write(`${error.stack}\n`);
  return envelope(call, errors.internal());
}

function envelope(call: Call, { status, reason, message, detail }: YouTubeError): Response {
  if (status === 401)
    call.header("www-authenticate", 'Bearer realm="https://accounts.google.com/", error="invalid_token"');
  const errors = [{ message, domain: "global", reason, ...detail }];
  return call.json({ error: { code: status, message, errors } }, status);
}
