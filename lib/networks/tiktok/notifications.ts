import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { PlatformError } from "../errors";
import type { App, NetworkNotice } from "../network";
import { idSchema, parseJson } from "../wire/json";

const bodySchema = z.object({
  client_key: z.string(),
  event: z.string(),
  create_time: z.number(),
  user_openid: z.string(),
  /** A JSON document in a string. */
  content: z.string(),
});
const removedSchema = z.object({ reason: z.number().optional().catch(undefined) });
const publicSchema = z.object({ publish_id: z.string(), post_id: idSchema });

/** developers.tiktok.com/doc/webhooks-events, authorization.removed */
const reasons: { [reason: number]: string } = {
  1: "The user removed Carillon's permission in the TikTok app",
  2: "The TikTok account was deleted",
  3: "TikTok ended the permission because the user's age was changed",
  4: "TikTok banned the account",
  5: "The permission was returned to TikTok",
};

/**
 * Reads a webhook call (developers.tiktok.com/doc/webhooks-overview): one address for all events, delivered at least once.
 * @throws PlatformError `rejected` if the signature is not TikTok's
 */
export function notifications(app: App, { headers, body }: { headers: Headers; body: string }): NetworkNotice[] {
  if (!isSigned(app, headers.get("tiktok-signature") ?? "", body))
    throw new PlatformError("rejected", "The signature is not TikTok's");
  const stated = bodySchema.safeParse(readJson(body)).data;
  if (stated?.client_key !== app.clientId) return [];
  const [at, content] = [new Date(stated.create_time * 1000), readJson(stated.content)];
  if (stated.event === "authorization.removed") {
    const { reason = 0 } = removedSchema.safeParse(content).data ?? {};
    const says = `${reasons[reason] ?? "TikTok ended the permission"}. Reconnect the account`;
    return [{ kind: "deauthorized", accountId: stated.user_openid, at, says }];
  }
  const shown = publicSchema.safeParse(content).data;
  if (stated.event !== "post.publish.publicly_available" || !shown) return [];
  return [
    { kind: "post id", accountId: stated.user_openid, at, handle: shown.publish_id, id: shown.post_id, permalink },
  ];

  function permalink(username: string): string {
    const kind = shown?.publish_id.startsWith("p_") ? "photo" : "video";
    return `https://www.tiktok.com/@${username}/${kind}/${shown?.post_id}`;
  }
}

/** …/webhooks-verification: `t=<unix>,s=<hex of HMAC-SHA256(client_secret, t.body)>`. */
function isSigned(app: App, header: string, body: string): boolean {
  const fields = new Map(header.split(",").map((pair) => pair.trim().split("=", 2) as [string, string]));
  const expected = createHmac("sha256", app.clientSecret)
    .update(`${fields.get("t")}.${body}`)
    .digest();
  const given = Buffer.from(fields.get("s") ?? "", "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
