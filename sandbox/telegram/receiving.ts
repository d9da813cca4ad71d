import { isLoopback } from "../core/consent";
import type { Call } from "../core/network";
import { BotRefusal, badRequest } from "./errors";
import { isTrue, jsonParameter } from "./parameters";
import { botSettings, type TelegramState } from "./state";
import { acknowledge, pendingUpdates, presentUpdate, waitForUpdate } from "./updates";

type Text = Record<string, string>;

/** `getUpdates`: long poll, acknowledged by the next offset; never beside a webhook or a second poller. */
export async function getUpdates(state: TelegramState, call: Call, text: Text) {
  if (botSettings(state).webhook) {
    throw new BotRefusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  rememberAllowed(state, text);
  if (text.offset) acknowledge(state, Number(text.offset));
  const limit = Math.min(Math.max(Number(text.limit ?? 100) || 100, 1), 100);
  const seconds = Math.min(Math.max(Number(text.timeout ?? 0) || 0, 0), 50);
  await waitForUpdate(state, seconds, call.req.raw.signal);
  return pendingUpdates(state).slice(0, limit).map(presentUpdate);
}

/** `setWebhook`; `http` on this computer stands in for public https. An empty url removes it. */
export function setWebhook(state: TelegramState, text: Text): boolean {
  const { url = "", secret_token: secret } = text;
  if (url === "") return deleteWebhook(state, text);
  if (!isWebhookAddress(url)) throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  if (secret !== undefined && !/^[A-Za-z0-9_-]{1,256}$/.test(secret))
    throw badRequest("secret token contains unallowed characters");
  rememberAllowed(state, text);
  if (isTrue(text.drop_pending_updates)) state.updates.clear();
  state.settings.put("bot", { ...botSettings(state), webhook: { url, ...(secret ? { secret } : {}) } });
  state.wakeWebhook();
  return true;
}

function isWebhookAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, port } = new URL(url);
  return (
    (protocol === "https:" && ["", "443", "80", "88", "8443"].includes(port)) ||
    (/^https?:$/.test(protocol) && isLoopback(hostname))
  );
}

export function deleteWebhook(state: TelegramState, text: Text): boolean {
  const { webhook: _, ...settings } = botSettings(state);
  state.settings.put("bot", settings);
  if (isTrue(text.drop_pending_updates)) state.updates.clear();
  return true;
}

export function getWebhookInfo(state: TelegramState) {
  const { webhook, allowed } = botSettings(state);
  return {
    url: webhook?.url ?? "",
    has_custom_certificate: false,
    pending_update_count: pendingUpdates(state).length,
    ...(allowed?.length ? { allowed_updates: allowed } : {}),
  };
}

/** The setting sticks until it is sent again. */
function rememberAllowed(state: TelegramState, text: Text): void {
  const allowed = jsonParameter(text, "allowed_updates");
  if (allowed === undefined) return;
  if (!Array.isArray(allowed)) throw badRequest("can't parse allowed_updates JSON object");
  const settings = botSettings(state);
  const names = allowed.map(String);
  if (JSON.stringify(names) !== JSON.stringify(settings.allowed))
    state.settings.put("bot", { ...settings, allowed: names });
}
