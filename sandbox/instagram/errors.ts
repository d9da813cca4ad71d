import { randomToken } from "../core/ids";
import type { Call } from "../core/network";

type Detail = { subcode?: number; title?: string; advice?: string; isTransient?: boolean; type?: string };

/** A refusal in the Graph API's envelope; source: Instagram Platform, error codes. All of them are HTTP 400. */
export class GraphRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly detail: Detail = {},
    readonly status: 400 | 404 | 500 = 400,
  ) {
    super(message);
  }
}

export const refusals = {
  badToken: () => new GraphRefusal(190, "Invalid OAuth access token - Cannot parse access token", {}),
  deadToken: (subcode: 458 | 463) =>
    subcode === 463
      ? new GraphRefusal(190, "Error validating access token: Session has expired.", { subcode })
      : new GraphRefusal(190, "Error validating access token: The user has not authorized the application.", {
          subcode,
        }),
  noPermission: (scope: string) =>
    new GraphRefusal(10, `(#10) Application does not have permission for this action: ${scope}`, {}),
  parameter: (text: string, detail: Detail = {}) => new GraphRefusal(100, `(#100) ${text}`, detail),
  noObject: (id: string, verb: "get" | "post") =>
    new GraphRefusal(
      100,
      `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
      { subcode: 33, type: "GraphMethodException" },
    ),
  noField: (field: string, node: string) =>
    new GraphRefusal(100, `(#100) Tried accessing nonexisting field (${field}) on node type (${node})`),
  containerUnknown: () =>
    new GraphRefusal(24, "The requested resource does not exist", {
      subcode: 2207008,
      title: "Media not found",
      advice: "The media builder with this creation id does not exist or has expired.",
    }),
  notReady: () =>
    new GraphRefusal(9007, "Media ID is not available", {
      subcode: 2207027,
      title: "Media not ready",
      advice: "The media is not ready for publishing, please wait for a moment.",
    }),
  unknownMediaType: (text: string) =>
    new GraphRefusal(100, `(#100) ${text}`, { subcode: 2207023, title: "Media type unknown" }),
  carouselCount: () =>
    new GraphRefusal(100, "(#100) A carousel needs 2 to 10 children.", {
      subcode: 2207028,
      title: "Carousel validation failed",
    }),
  notFetched: () =>
    new GraphRefusal(9004, "Only photo or video can be accepted as media type.", {
      subcode: 2207052,
      title: "Media upload has failed",
      advice: "The media could not be fetched from this URI.",
    }),
  imageTooLarge: () =>
    new GraphRefusal(36000, "The image size is too large.", {
      subcode: 2207004,
      title: "Image size too large",
      advice: "The image is too large to download. It should be less than 8 MiB.",
    }),
  imageFormat: () =>
    new GraphRefusal(36001, "The image format is not supported.", {
      subcode: 2207005,
      title: "Image format unsupported",
      advice: "Supported format: JPEG.",
    }),
  imageRatio: () =>
    new GraphRefusal(36003, "The submitted image with aspect ratio cannot be published.", {
      subcode: 2207009,
      title: "Invalid aspect ratio",
      advice: "The aspect ratio must be between 4:5 and 1.91:1.",
    }),
  captionTooLong: () =>
    new GraphRefusal(36004, "The caption was too long.", {
      subcode: 2207010,
      title: "Caption too long",
      advice: "At most 2,200 characters, 30 hashtags and 20 mentions.",
    }),
  tooManyTags: () => new GraphRefusal(100, "(#100) At most 20 user tags.", { subcode: 2207040 }),
  thumbOffset: () => new GraphRefusal(1, "The thumbnail offset must lie inside the video.", { subcode: 2207057 }),
  quotaUsed: () =>
    new GraphRefusal(9, "Application request limit reached", {
      subcode: 2207042,
      title: "Daily posting limit reached",
      advice: "The account has reached the number of posts of the last 24 hours.",
    }),
  actionBlocked: () =>
    new GraphRefusal(4, "Application request limit reached", {
      subcode: 2207051,
      title: "Action is blocked",
      advice: "We restrict certain activity to protect our community.",
    }),
  throttled: () =>
    new GraphRefusal(
      80002,
      "(#80002) There have been too many calls to this Instagram account. Wait a bit and try again.",
      { subcode: 2446079 },
    ),
  internal: () =>
    new GraphRefusal(
      2,
      "An unexpected error has occurred. Please retry your request later.",
      { isTransient: true },
      500,
    ),
};

/** The token endpoint of api.instagram.com has a flat shape of its own. */
export class FlatRefusal extends Error {}

export function deadCode(): FlatRefusal {
  return new FlatRefusal("Matching code was not found or was already used");
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof FlatRefusal) {
    return call.json({ error_type: "OAuthException", code: 400, error_message: error.message }, 400);
  }
  if (error instanceof GraphRefusal) return envelope(call, error);
  process.stderr.write(`${error.stack}\n`);
  return envelope(call, refusals.internal());
}

function envelope(call: Call, { message, code, detail, status }: GraphRefusal): Response {
  const error = {
    message,
    type: detail.type ?? "OAuthException",
    code,
    ...(detail.subcode ? { error_subcode: detail.subcode } : {}),
    is_transient: detail.isTransient ?? false,
    ...(detail.title ? { error_user_title: detail.title, error_user_msg: detail.advice ?? detail.title } : {}),
    fbtrace_id: `A${randomToken(8)}`,
  };
  return call.json({ error }, status);
}
