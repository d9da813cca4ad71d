import type { Schemas } from "./calls";
import { webCrypto } from "./crypto";
import { CarillonError } from "./problems";

/** An event as a webhook receives it; `type` tells which one. */
export type WebhookEvent = {
  [T in keyof Schemas["Events"]]: { type: T; timestamp: string; data: Schemas["Events"][T] };
}[keyof Schemas["Events"]];

export type ReceivedWebhook = {
  /** The exact text or bytes of the request's body, before any parsing. */
  body: string | Uint8Array;
  /** The request's headers, of `fetch` or of Node, or an object with their names in any case, as gateways pass them on. */
  headers: Pick<Headers, "get"> | NodeHeaders;
  /** The webhook's `secret`. */
  secret: string;
  /** How much the time of sending may differ from now (default: 5 minutes), so that nobody can send an old message again. */
  toleranceSeconds?: number | undefined;
};

type NodeHeaders = { [name: string]: string | string[] | undefined };

/**
 * Checks that Carillon sent a webhook, as Standard Webhooks describes it, and returns its event. After a change of the secret, both
 * sign for a day.
 * @throws CarillonError with the status 400, with which to answer the request
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
}: ReceivedWebhook): Promise<WebhookEvent> {
  // Not `instanceof`: test programs such as Jest have a second Uint8Array.
  if (typeof body !== "string" && !ArrayBuffer.isView(body))
    throw refused("body must be the text or the bytes of the request. Pass it as it arrived, before any parsing");
  const header = (name: string) => {
    // Not `instanceof`: libraries such as node-fetch have classes of their own.
    const value =
      typeof headers.get === "function"
        ? headers.get(name)
        : Object.entries(headers).find(([spelled]) => spelled.toLowerCase() === name)?.[1];
    if (!value) throw refused(`The header ${name} is missing. Pass all headers of the request`);
    return String(value);
  };
  const [id, seconds, signatures] = [header("webhook-id"), header("webhook-timestamp"), header("webhook-signature")];
  const ageSeconds = Math.round(Math.abs(Date.now() / 1_000 - Number(seconds)));
  if (!(ageSeconds <= toleranceSeconds))
    throw refused(`The message is from another time (${ageSeconds} seconds away). Check the clock of this machine`);
  const encoder = new TextEncoder();
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const signed = new Uint8Array([...encoder.encode(`${id}.${seconds}.`), ...bytes]);
  const { subtle } = await webCrypto();
  const keyBytes = bytesOf(String(secret ?? "").replace(/^whsec_/, ""));
  if (!keyBytes?.length)
    throw refused("This is not the secret of a webhook. Pass it as the API returned it, beginning with whsec_");
  const key = await subtle.importKey("raw", keyBytes, ALGORITHM, false, ["verify"]);
  for (const one of signatures.split(" ").filter((signature) => signature.startsWith("v1,"))) {
    const signature = bytesOf(one.slice(3));
    // `verify` compares in constant time.
    if (signature && (await subtle.verify("HMAC", key, signature, signed)))
      return JSON.parse(new TextDecoder().decode(bytes));
  }
  throw refused("The signature is wrong. Check the secret, and pass the body as it arrived, before any parsing");
}

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

/** Undefined if it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function refused(message: string): CarillonError {
  return new CarillonError(message, { status: 400 });
}
