import { StringDecoder } from "node:string_decoder";
import { EgressError } from "../http/egress-error";
import { type GuardedAnswer, guardedFetch } from "../http/guarded-fetch";
import { retryAfterSeconds } from "../http/headers";
import type { ClaimedDelivery } from "./claim";
import { messageIdOf } from "./present";
import { signedHeaders, unsealEarlierSecret, unsealSecret } from "./secret";

/** Patterns of credentials, ours or not: receivers echo their own headers and settings in error pages. */
const CREDENTIAL_PATTERNS = [
  /\bwhsec_[A-Za-z0-9+/=]+/g,
  /\bv1,[A-Za-z0-9+/]{43}=/g,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g,
];

/** Returns the text without these secrets and without anything that looks like a credential, so that it can be shown. */
function redactCredentials(text: string, secrets: string[]): string {
  const known = secrets.flatMap((secret) => secret.split(" ")).filter((secret) => /^(whsec_|v1,)/.test(secret));
  const rest = known.reduce((left, secret) => left.replaceAll(secret, "…"), text);
  return CREDENTIAL_PATTERNS.reduce((left, look) => left.replaceAll(look, "…"), rest);
}

const TOTAL_MS = 15_000;
/** How much of a response is stored. */
const MOST_BYTES = 4_096;
const GONE = 410;

/** The result of one attempt. */
export type DeliveryAttempt = {
  url: string;
  /** The headers as sent. The signature is masked, because within minutes it could be used to replay the body. */
  headers: { [name: string]: string };
  durationMs: number;
  status: number | null;
  answer: string | null;
  /** Null if the endpoint accepted the delivery. */
  error: string | null;
  /** The endpoint answered 410 and wants no more events. */
  isGone: boolean;
  retryAfterSeconds?: number;
};

/** Sends a delivery once. Signs the exact bytes, follows no redirects, and takes at most 15 seconds in total. */
export async function sendDelivery(sending: ClaimedDelivery): Promise<DeliveryAttempt> {
  const { url, endpointId, body, seconds } = sending;
  const earlier = sending.earlierSecrets.map(unsealEarlierSecret);
  const secrets = [unsealSecret(endpointId, sending.secretSealed), ...earlier];
  const signed = signedHeaders({ id: messageIdOf(sending.id), seconds, body }, secrets);
  const headers = { "content-type": "application/json", "user-agent": "Carillon-Webhooks", ...signed };
  const begun = performance.now();
  const done = (
    outcome: Pick<DeliveryAttempt, "status" | "answer" | "error"> & Partial<DeliveryAttempt>,
  ): DeliveryAttempt => ({
    ...{ url, headers: { ...headers, "webhook-signature": masked(signed) }, isGone: false },
    durationMs: Math.round(performance.now() - begun),
    ...outcome,
  });
  try {
    const answer = await guardedFetch(url, {
      ...{ method: "POST", headers, body, redirects: "return", totalMs: TOTAL_MS, firstByteMs: TOTAL_MS },
    });
    const { status, header } = answer;
    const says = redactCredentials(await beginningOf(answer), [...secrets, ...Object.values(signed)]);
    const asked = header("retry-after");
    return done({
      ...{ status, answer: says, error: problemOf(status), isGone: status === GONE },
      retryAfterSeconds: asked ? retryAfterSeconds(new Headers({ "retry-after": asked })) : undefined,
    });
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return done({ status: null, answer: null, error: sentence(error.message) });
  }
}

const masked = (headers: { [name: string]: string }) =>
  (headers["webhook-signature"] ?? "").replaceAll(/v1,\S+/g, "v1,…");

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === GONE) return "The endpoint answered 410 Gone, so nothing more is sent to it";
  if (status >= 300 && status < 400) return `The endpoint answered ${status}; redirects are not followed`;
  return `The endpoint answered ${status}`;
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Reads the beginning of a response. Only the status decides the outcome; the body is kept for the log and may never end. */
async function beginningOf({ body, close }: GuardedAnswer): Promise<string> {
  const decoder = new StringDecoder("utf8");
  let text = "";
  let left = MOST_BYTES;
  try {
    for await (const chunk of body) {
      text += decoder.write(Buffer.from(chunk.subarray(0, left)));
      left -= chunk.length;
      if (left <= 0) break;
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
  } finally {
    close();
  }
  return text.replaceAll("\0", "");
}
