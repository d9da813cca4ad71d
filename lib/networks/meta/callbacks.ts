import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { PlatformError } from "../errors";
import type { App, CallbackRequest, Network, NetworkNotice } from "../network";
import { idSchema, parseJson } from "../wire/json";

const SIGNATURE_BYTES = 32;
const payloadSchema = z.object({
  algorithm: z.string().regex(/^HMAC-SHA256$/i),
  issued_at: z.number().int().positive(),
  /** The person's ID, scoped to this application. */
  user_id: idSchema,
  expires: z.number().int().optional(),
});

/**
 * Reads Meta's `signed_request`, one form field: `<base64url of the signature>.<base64url of the payload>`, signed with the
 * secret of the application that it is addressed to
 * (developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback).
 * @throws PlatformError `rejected` if it was not signed by Meta for this application or has expired
 */
export function readSignedRequest(app: App, { headers, body }: CallbackRequest): { accountId: string; at: Date } {
  const [signature = "", payload = "", ...rest] = fieldOf(headers, body).split(".");
  if (rest.length > 0 || !isSigned(app, signature, payload)) throw forged();
  const parsed = payloadSchema.safeParse(jsonIn(payload)).data;
  if (!parsed || (parsed.expires && parsed.expires * 1000 < Date.now())) throw forged();
  return { accountId: parsed.user_id, at: new Date(parsed.issued_at * 1000) };
}

function fieldOf(headers: Headers, body: string): string {
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  const [given, ...others] = isForm ? new URLSearchParams(body).getAll("signed_request") : [];
  if (given === undefined || others.length > 0) throw forged();
  return given;
}

/** The signature covers the encoded payload, not the decoded JSON. Compared in constant time. */
function isSigned(app: App, signature: string, payload: string): boolean {
  if (!/^[\w-]+$/.test(signature) || !/^[\w-]+$/.test(payload)) return false;
  const given = Buffer.from(signature, "base64url");
  const expected = createHmac("sha256", app.clientSecret).update(payload).digest();
  return given.length === SIGNATURE_BYTES && timingSafeEqual(given, expected);
}

function jsonIn(payload: string): unknown {
  try {
    return parseJson(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

function forged(): PlatformError {
  return new PlatformError("rejected", "signed_request was not signed by Meta for this application");
}

/** The two callbacks of Meta's networks: a person removed our permission, or asks for deletion of their data. */
export function metaCallbacks(name: string): Pick<Network, "notifications" | "deletionRequest"> {
  return {
    notifications(app: App, request: CallbackRequest): NetworkNotice[] {
      const says = `The user removed Carillon's permission at ${name}. Reconnect the account`;
      return [{ kind: "deauthorized", says, ...readSignedRequest(app, request) }];
    },
    deletionRequest: readSignedRequest,
  };
}
