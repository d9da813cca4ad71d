import type { Call } from "../core/network";

type Status = 400 | 401 | 403 | 404 | 413 | 429 | 500 | 503;

/** A refusal in the Data API's envelope; source: developers.google.com/youtube/data/reference/rest/v3/errors. */
export class YouTubeRefusal extends Error {
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

export const refusals = {
  badToken: () =>
    new YouTubeRefusal(
      401,
      "authError",
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
      { domain: "global", location: "Authorization", locationType: "header" },
    ),
  noScope: () => new YouTubeRefusal(403, "insufficientPermissions", "Request had insufficient authentication scopes."),
  noChannel: () => new YouTubeRefusal(401, "youtubeSignupRequired", "Unauthorized", { domain: "youtube.header" }),
  invalid: (reason: string, message: string) => new YouTubeRefusal(400, reason, message, video),
  badRequest: (message: string) => new YouTubeRefusal(400, "badRequest", message),
  quota: () =>
    new YouTubeRefusal(
      403,
      "quotaExceeded",
      'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
      { domain: "youtube.quota" },
    ),
  uploadLimit: () =>
    new YouTubeRefusal(400, "uploadLimitExceeded", "The user has exceeded the number of videos they may upload.", {
      domain: "youtube.video",
    }),
  rateLimit: () => new YouTubeRefusal(429, "rateLimitExceeded", "Rate limit exceeded", { domain: "usageLimits" }),
  noVideo: () =>
    new YouTubeRefusal(
      404,
      "videoNotFound",
      "The video that you are trying to insert a thumbnail image for cannot be found.",
      {
        domain: "youtube.thumbnail",
      },
    ),
  noPlaylist: () =>
    new YouTubeRefusal(
      404,
      "playlistNotFound",
      "The playlist identified with the request's playlistId parameter cannot be found.",
      {
        domain: "youtube.playlistItem",
      },
    ),
  noSession: () => new YouTubeRefusal(404, "notFound", "Requested entity was not found."),
  noCustomThumbnails: () =>
    new YouTubeRefusal(
      403,
      "forbidden",
      "The authenticated user doesn't have permissions to upload and set custom video thumbnails.",
      {
        domain: "youtube.thumbnail",
      },
    ),
  badImage: () =>
    new YouTubeRefusal(400, "invalidImage", "The provided image content is invalid.", { domain: "youtube.thumbnail" }),
  tooLarge: () => new YouTubeRefusal(413, "uploadTooLarge", "Media is too large. Limit: 52428800"),
  internal: () => new YouTubeRefusal(500, "backendError", "Backend Error"),
};

/** Google's token endpoint has a flat shape (RFC 6749). */
export class TokenRefusal extends Error {
  constructor(
    readonly error: string,
    readonly description: string,
    readonly status: 400 | 401 = 400,
  ) {
    super(description);
  }
}

export function deadToken(): TokenRefusal {
  return new TokenRefusal("invalid_grant", "Token has been expired or revoked.");
}

export function deadCode(): TokenRefusal {
  return new TokenRefusal("invalid_grant", "Malformed auth code.");
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof TokenRefusal)
    return call.json({ error: error.error, error_description: error.description }, error.status);
  if (error instanceof YouTubeRefusal) return envelope(call, error);
  process.stderr.write(`${error.stack}\n`);
  return envelope(call, refusals.internal());
}

function envelope(call: Call, { status, reason, message, detail }: YouTubeRefusal): Response {
  if (status === 401)
    call.header("www-authenticate", 'Bearer realm="https://accounts.google.com/", error="invalid_token"');
  const errors = [{ message, domain: "global", reason, ...detail }];
  return call.json({ error: { code: status, message, errors } }, status);
}
