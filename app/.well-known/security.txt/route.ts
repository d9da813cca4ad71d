import { env } from "@/lib/env";

export const dynamic = "force-dynamic";

/** RFC 9116 recommends less than a year. Scanners fetch the file again, so a few months are enough. */
const DAYS = 90;

/** Where to report security problems (RFC 9116). */
export function GET(): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" };
  const midnight = new Date(Date.now() + DAYS * 86_400_000).setUTCHours(0, 0, 0, 0);
  const lines = [
    ...env.securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(midnight).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${env.appUrl}/.well-known/security.txt`,
  ];
  return new Response(lines.map((line) => `${line}\n`).join(""), { headers });
}
