import { env } from "../env";
import { isMacOf, macOf } from "../secrets";
import { headersOf, type PutTerms } from "./store";

/**
 * The fields that the embedded store signs for a pre-signed PUT. As in S3, the signature covers the method, key, expiry,
 * content type, length and both metadata headers, so that none of them can be changed.
 */
type Signed = { key: string; expires: number; contentType: string; length: string; size: string; filename: string };

function textOf({ key, expires, contentType, length, size, filename }: Signed): string {
  return ["PUT", key, expires, contentType, length, size, filename].join("\n");
}

/** Returns the URL of a grant. The key is the last part of its path. */
export function grantUrl(terms: PutTerms): string {
  const headers = headersOf(terms);
  const expires = Math.floor(terms.expiresAt.getTime() / 1000);
  const { keyId, mac } = macOf(
    "upload grant",
    textOf({
      key: terms.key,
      expires,
      contentType: terms.contentType,
      length: String(terms.sizeBytes),
      size: headers["x-amz-meta-size-bytes"] ?? "",
      filename: headers["x-amz-meta-filename"] ?? "",
    }),
  );
  return `${env.appUrl}/media/uploads/${terms.key}?e=${expires}&k=${keyId}&s=${mac}`;
}

const SIGNED_METADATA = ["x-amz-meta-size-bytes", "x-amz-meta-filename"];

/**
 * Returns why a PUT to the embedded store does not match its grant, or undefined if it matches. Like S3, it rejects `x-amz-`
 * headers that were not signed.
 */
export function putProblem(key: string, query: URLSearchParams, headers: Headers, now: Date): string | undefined {
  const expires = query.get("e") ?? "";
  const foreign = [...headers.keys()].find((name) => name.startsWith("x-amz-") && !SIGNED_METADATA.includes(name));
  if (foreign) return `The header ${foreign} is not part of this grant`;
  const signed = textOf({
    key,
    expires: Number(expires),
    contentType: headers.get("content-type") ?? "",
    length: headers.get("content-length") ?? "",
    size: headers.get("x-amz-meta-size-bytes") ?? "",
    filename: headers.get("x-amz-meta-filename") ?? "",
  });
  const genuine =
    /^\d{1,12}$/.test(expires) && isMacOf("upload grant", signed, query.get("k") ?? "", query.get("s") ?? "");
  if (!genuine) {
    return "The request does not match the grant: key, method, headers and length must be exactly those of the grant";
  }
  return Number(expires) * 1000 <= now.getTime() ? "This grant has expired. Request a new one" : undefined;
}
