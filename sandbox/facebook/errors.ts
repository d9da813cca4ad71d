import type { Call } from "../core/network";
import { errorResponse, GraphError, graphErrors } from "../meta/graph";

/** Messages of error 190 by subcode. */
export const REVOCATIONS = {
  458: "The user has not authorized application.",
  460: "The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.",
  463: "Session has expired.",
  492: "The user must be an administrator, editor, or moderator of the page in order to impersonate it.",
} as const;

export type RevocationSubcode = keyof typeof REVOCATIONS;

export const errors = {
  ...graphErrors,
  invalidToken: (subcode: RevocationSubcode) =>
    new GraphError(190, `Error validating access token: ${REVOCATIONS[subcode]}`, { subcode }, 401),
  wrongProof: (code: number) =>
    new GraphError(code, "Invalid appsecret_proof provided in the API argument", { type: "GraphMethodException" }),
  usedCode: (subcode?: number) => new GraphError(100, "This authorization code has been used.", { subcode }),
  expiredCode: (subcode?: number) => new GraphError(100, "This authorization code has expired.", { subcode }),
  otherAddress: (subcode?: number) =>
    new GraphError(
      100,
      "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request",
      { subcode },
    ),
  wrongSecret: (code: number) => new GraphError(code, "Error validating client secret."),
  wrongApplication: () =>
    new GraphError(101, "Error validating application. Cannot get application info due to a system error."),
  noPermission: (scope: string) =>
    new GraphError(
      200,
      `(#200) If posting to a page, requires ${scope} as an admin with sufficient administrative permission`,
      {},
      403,
    ),
  needsPageToken: () =>
    new GraphError(200, "(#200) Unpublished posts must be posted to a page as the page itself.", {}, 403),
  noPermissionToPublishVideo: () => new GraphError(100, "(#100) No permission to publish the video"),
  notFetched: () =>
    new GraphError(324, "Missing or invalid image file", {
      subcode: 2069019,
      title: "Your photos couldn't be uploaded",
    }),
  image: () =>
    new GraphError(1, "An unknown error occurred", {
      subcode: 1366046,
      title: "Can't Read Files",
      advice: "Your photos couldn't be uploaded. Photos should be less than 4 MB and saved as JPG, PNG.",
    }),
  usedPhoto: () => new GraphError(100, "(#100) Photos already posted", { subcode: 1366051, title: "Already Posted" }),
  linkNotRead: () =>
    new GraphError(100, "(#100) The url you supplied is invalid", {
      subcode: 1609005,
      title: "Link Can't Be Shared",
    }),
  ownLink: () => new GraphError(100, "(#100) Links to facebook.com", { subcode: 1609008 }),
  duplicate: () =>
    new GraphError(506, "Duplicate status message", {
      title: "Duplicate Status Update",
      advice: "This status update is identical to the last one you posted.",
    }),
  tooFast: () =>
    new GraphError(
      368,
      "The action attempted has been deemed abusive or is otherwise disallowed",
      { subcode: 1390008 },
      403,
    ),
  throttled: () => new GraphError(32, "(#32) Page request limit reached", {}, 403),
  /** The Reels guide states the limit but no code. This is the Graph API's code for calls with their own limit. */
  tooManyReels: () => new GraphError(613, "(#613) Calls to this api have exceeded the rate limit."),
  lostSession: () =>
    new GraphError(6000, "There was a problem uploading your video file. Please try again with another file.", {
      subcode: 1363019,
    }),
  otherOffset: (start: number, end: number) =>
    new GraphError(6001, "There was a problem uploading your video. Please try again.", {
      subcode: 1363037,
      isTransient: true,
      data: { start_offset: String(start), end_offset: String(end) },
    }),
  finishedBefore: () => new GraphError(100, "(#100) The video was already published"),
  notUploaded: () => new GraphError(100, "(#100) Video upload is not complete", { subcode: 1363019 }),
};

/** An error of the upload host, which has its own format. */
export class UploadError extends Error {
  constructor(
    readonly type: "OffsetInvalidError" | "PartialRequestError" | "ProcessingFailedError" | "NotAuthorizedError",
    message: string,
  ) {
    super(message);
  }
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof UploadError)
    return call.json({ debug_info: { retriable: false, type: error.type, message: error.message } }, 400);
  if (error instanceof GraphError) return errorResponse(call, error);
  process.stderr.write(`${error.stack}\n`);
  return errorResponse(call, errors.internal());
}
