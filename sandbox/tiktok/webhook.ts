import { createHmac } from "node:crypto";
import { CLIENT, openId, type TikTokState } from "./state";

const TRIES = 5;
const RETRY_SECONDS = 60;

/** Sends a signed event to the application's webhook URL, with retries until it returns 200. Source: webhooks overview. */
export function notify(state: TikTokState, event: string, account: string, content: object): void {
  const { webhookUrl } = state.registration();
  if (webhookUrl) void deliver(state, webhookUrl, bodyOf(state, event, account, content));
}

function bodyOf(state: TikTokState, event: string, account: string, content: object): string {
  return JSON.stringify({
    client_key: CLIENT.key,
    event,
    create_time: Math.floor(state.world.clock.now() / 1000),
    user_openid: openId(account),
    content: JSON.stringify(content).replace(/"int64:(\d+)"/g, "$1"),
  });
}

async function deliver(state: TikTokState, url: string, body: string): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const headers = { "content-type": "application/json", "tiktok-signature": signature(body) };
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual" }).catch(() => undefined);
    await answer?.body?.cancel().catch(() => {}); // an unread body can end the process (ADR 61)
    if (answer?.status === 200) return;
    await state.world.clock.wait(RETRY_SECONDS);
  }
}

/** The signature header: `t=<unix>,s=<hex of HMAC-SHA256(client_secret, t.body)>`. Source: webhooks verification. */
export function signature(body: string, seconds = Math.floor(Date.now() / 1000), secret = CLIENT.secret): string {
  return `t=${seconds},s=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}
