import { fileTypeFromBuffer } from "file-type";
import { z } from "zod";
import { type Call, hasFault } from "../core/network";
import { assetAt, complete, newAsset, ownAsset, uploadUrl } from "./assets";
import { jsonBody } from "./body";
import { badValue, forbidden, LinkedInRefusal } from "./errors";
import { noPermission, sessionOf, tokenOf, urnIn } from "./session";
import type { LinkedInState } from "./state";

const URL_SECONDS = 86_400;
const Initialize = z.strictObject({ initializeUploadRequest: z.strictObject({ owner: z.string() }) });

/** `POST /rest/images?action=initializeUpload`. */
export async function initializeImage(state: LinkedInState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "images.ACTION-initializeUpload");
  if (call.req.query("action") !== "initializeUpload") throw badValue("The action is not known", "ILLEGAL_ARGUMENT");
  const { initializeUploadRequest } = await jsonBody(call, Initialize);
  if (initializeUploadRequest.owner !== session.urn) throw forbidden("The owner is not the member of the token");
  const asset = newAsset(state, session, "image", URL_SECONDS);
  return call.json({
    value: { uploadUrlExpiresAt: asset.expiresAt, uploadUrl: uploadUrl(call, asset, "image"), image: asset.urn },
  });
}

/** `PUT` of an image's bytes: in one request, with the member's token. */
export async function putImage(state: LinkedInState, call: Call): Promise<Response> {
  const asset = assetAt(state, call);
  const { account } = tokenOf(state, call);
  if (account !== asset.account) throw forbidden("Accessing this image resource is forbidden");
  const bytes = new Uint8Array(await call.req.arrayBuffer());
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? "application/octet-stream";
  if (!["image/jpeg", "image/png", "image/gif"].includes(type)) {
    throw new LinkedInRefusal(415, "UNSUPPORTED_MEDIA_TYPE", `The media type ${type} is not supported`);
  }
  await complete(state, asset, bytes, hasFault(call, "processing_fails"));
  return call.body(null, 201);
}

/** `GET /rest/images/{urn}`: not for a token that may only post for a member. */
export function imageStatus(state: LinkedInState, call: Call): Response {
  const session = sessionOf(state, call, "images.GET");
  ownAsset(state, session, urnIn(call));
  throw noPermission("images.GET");
}
