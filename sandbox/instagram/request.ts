import type { Call } from "../core/network";
import { errorResponse, GraphError, graphErrors } from "../meta/graph";
import { type InstagramState, professionalId } from "./state";

export const errors = {
  ...graphErrors,
  badToken: () => new GraphError(190, "Invalid OAuth access token - Cannot parse access token", {}),
  invalidToken: (subcode: 458 | 463) =>
    subcode === 463
      ? new GraphError(190, "Error validating access token: Session has expired.", { subcode })
      : new GraphError(190, "Error validating access token: The user has not authorized the application.", {
          subcode,
        }),
  noPermission: (scope: string) =>
    new GraphError(10, `(#10) Application does not have permission for this action: ${scope}`, {}),
  containerUnknown: () =>
    new GraphError(24, "The requested resource does not exist", {
      subcode: 2207008,
      title: "Media not found",
      advice: "The media builder with this creation id does not exist or has expired.",
    }),
  notReady: () =>
    new GraphError(9007, "Media ID is not available", {
      subcode: 2207027,
      title: "Media not ready",
      advice: "The media is not ready for publishing, please wait for a moment.",
    }),
  unknownMediaType: (text: string) =>
    new GraphError(100, `(#100) ${text}`, { subcode: 2207023, title: "Media type unknown" }),
  carouselCount: () =>
    new GraphError(100, "(#100) A carousel needs 2 to 10 children.", {
      subcode: 2207028,
      title: "Carousel validation failed",
    }),
  notFetched: () =>
    new GraphError(9004, "Only photo or video can be accepted as media type.", {
      subcode: 2207052,
      title: "Media upload has failed",
      advice: "The media could not be fetched from this URI.",
    }),
  imageTooLarge: () =>
    new GraphError(36000, "The image size is too large.", {
      subcode: 2207004,
      title: "Image size too large",
      advice: "The image is too large to download. It should be less than 8 MiB.",
    }),
  imageFormat: () =>
    new GraphError(36001, "The image format is not supported.", {
      subcode: 2207005,
      title: "Image format unsupported",
      advice: "Supported format: JPEG.",
    }),
  imageRatio: () =>
    new GraphError(36003, "The submitted image with aspect ratio cannot be published.", {
      subcode: 2207009,
      title: "Invalid aspect ratio",
      advice: "The aspect ratio must be between 4:5 and 1.91:1.",
    }),
  captionTooLong: () =>
    new GraphError(36004, "The caption was too long.", {
      subcode: 2207010,
      title: "Caption too long",
      advice: "At most 2,200 characters, 30 hashtags and 20 mentions.",
    }),
  invalidUsers: (names: unknown[]) =>
    new GraphError(110, "Invalid user id", {
      subcode: 2207018,
      title: "Cannot load user with a private profile or invalid username",
      advice: `The following user(s) cannot be accessed: ${names.join(", ")}`,
    }),
  invalidLocation: () => new GraphError(100, "(#100) INSTAGRAM_PLATFORM_API__INVALID_LOCATION_ID"),
  tooManyTags: () => new GraphError(100, "(#100) At most 20 user tags.", { subcode: 2207040 }),
  thumbOffset: () => new GraphError(1, "The thumbnail offset must lie inside the video.", { subcode: 2207057 }),
  quotaUsed: () =>
    new GraphError(9, "Application request limit reached", {
      subcode: 2207042,
      title: "Daily posting limit reached",
      advice: "The account has reached the number of posts of the last 24 hours.",
    }),
  actionBlocked: () =>
    new GraphError(4, "Application request limit reached", {
      subcode: 2207051,
      title: "Action is blocked",
      advice: "We restrict certain activity to protect our community.",
    }),
  throttled: () =>
    new GraphError(
      80002,
      "(#80002) There have been too many calls to this Instagram account. Wait a bit and try again.",
      { subcode: 2446079 },
    ),
};

/** An error of api.instagram.com's token endpoint, which has its own flat format. */
export class FlatError extends Error {}

export function invalidCode(): FlatError {
  return new FlatError("Matching code was not found or was already used");
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof FlatError) {
    return call.json({ error_type: "OAuthException", code: 400, error_message: error.message }, 400);
  }
  if (error instanceof GraphError) return errorResponse(call, error);
  process.stderr.write(`${error.stack}\n`);
  return errorResponse(call, errors.internal());
}

export type InstagramSession = { account: string; scopes: string[] };

/** The token from the parameter `access_token` or the Bearer header. Calls with a body pass its parameters. */
export function tokenIn(call: Call, parameters: Record<string, string> = call.req.query()): string {
  const [scheme, bearer] = (call.req.header("authorization") ?? "").split(" ");
  return parameters.access_token ?? (scheme?.toLowerCase() === "bearer" ? (bearer ?? "") : "");
}

/**
 * Authenticates a call by a token with the given scope.
 * @throws GraphError 190 for an expired or revoked token, 10 for a missing scope
 */
export function sessionOf(
  state: InstagramState,
  call: Call,
  parameters: Record<string, string>,
  scope = "instagram_business_basic",
): InstagramSession {
  const token = tokenIn(call, parameters);
  if (!token) throw errors.badToken();
  const live = state.grants.findToken(token, "short", "long");
  if (!live) throw errors.invalidToken(463);
  call.get("entry").account = live.account;
  if (state.switches.requiresProof && !parameters.appsecret_proof) throw errors.noProof();
  // Every call needs the basic scope.
  const missing = ["instagram_business_basic", scope].find((one) => !live.scopes.includes(one));
  if (missing) throw errors.noPermission(missing);
  return live;
}

/** Requires `me` or the token owner's professional id in the path. The app-scoped id is not valid there. */
export function assertOwnAccount(call: Call, session: InstagramSession, verb: "get" | "post"): void {
  const id = call.req.param("id") ?? "";
  if (!isOwnAccount(id, session)) throw errors.noObject(id, verb);
}

export function isOwnAccount(id: string, session: InstagramSession): boolean {
  return id === "me" || id === professionalId(session.account);
}
