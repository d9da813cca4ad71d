import { isLoopback, parseUrl } from "../core/consent";
import type { Call } from "../core/network";
import { BotError, badRequest, isTrue, jsonParameter } from "./request";
import { botSettings, type Poll, type TelegramState, type Update, type UpdateType } from "./state";

const KEPT_SECONDS = 86_400;
/** Update types that are sent only on request. Source: Bot API, getUpdates, allowed_updates. */
const OFF_BY_DEFAULT = ["chat_member", "message_reaction", "message_reaction_count"];

/** Queues an update if the bot wants its type, and wakes the waiting poll or the webhook. */
export function emitUpdate(state: TelegramState, type: UpdateType, content: unknown): void {
  const settings = botSettings(state);
  const isWanted = settings.allowed?.length ? settings.allowed.includes(type) : !OFF_BY_DEFAULT.includes(type);
  if (!isWanted) return;
  const update_id = settings.nextUpdate;
  state.settings.put("bot", { ...settings, nextUpdate: update_id + 1 });
  state.updates.put(String(update_id), { update_id, date: state.world.clock.now(), body: { [type]: content } });
  state.poll?.wake();
  state.wakeWebhook();
}

/** Undelivered updates of the last 24 hours, oldest first. */
function pendingUpdates(state: TelegramState): Update[] {
  const from = state.world.clock.now() - KEPT_SECONDS * 1000;
  for (const old of state.updates.values()) if (old.date < from) state.updates.delete(String(old.update_id));
  return state.updates.values();
}

function presentUpdate({ update_id, body }: Update) {
  return { update_id, ...body };
}

/** Deletes all updates before `offset`. */
function acknowledge(state: TelegramState, offset: number): void {
  const pending = pendingUpdates(state);
  // A negative offset counts from the end of the queue and deletes everything before.
  const from = offset < 0 ? (pending.at(offset)?.update_id ?? pending[0]?.update_id ?? 0) : offset;
  for (const { update_id } of pending) if (update_id < from) state.updates.delete(String(update_id));
}

/** Waits for an update, the timeout or the end of the connection. Fails with 409 if another poller starts. */
async function waitForUpdate(state: TelegramState, seconds: number, signal: AbortSignal): Promise<void> {
  const conflict = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
  state.poll?.wake(new BotError(409, conflict));
  if (pendingUpdates(state).length > 0 || seconds === 0) return;
  const wakeUp = new AbortController();
  let refusal: BotError | undefined;
  const poll: Poll = {
    wake(reason) {
      refusal = reason;
      wakeUp.abort();
    },
  };
  state.poll = poll;
  await state.world.clock.wait(seconds, wakeUp.signal, signal, state.world.stopping);
  if (state.poll === poll) state.poll = undefined;
  if (refusal) throw refusal;
}

type Text = Record<string, string>;

/** `getUpdates`: a long poll. The next `offset` acknowledges updates. Conflicts with a webhook and with a second poller. */
export async function getUpdates(state: TelegramState, call: Call, text: Text) {
  if (botSettings(state).webhook) {
    throw new BotError(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  storeAllowedUpdates(state, text);
  if (text.offset) acknowledge(state, Number(text.offset));
  const limit = Math.min(Math.max(Number(text.limit ?? 100) || 100, 1), 100);
  const seconds = Math.min(Math.max(Number(text.timeout ?? 0) || 0, 0), 50);
  await waitForUpdate(state, seconds, call.req.raw.signal);
  return pendingUpdates(state).slice(0, limit).map(presentUpdate);
}

/** `setWebhook`. `http` on this computer is accepted in place of public https. An empty url removes the webhook. */
export function setWebhook(state: TelegramState, text: Text): boolean {
  const { url = "", secret_token: secret } = text;
  if (url === "") return deleteWebhook(state, text);
  if (!isWebhookAddress(url)) throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  if (secret !== undefined && !/^[A-Za-z0-9_-]{1,256}$/.test(secret))
    throw badRequest("secret token contains unallowed characters");
  storeAllowedUpdates(state, text);
  if (isTrue(text.drop_pending_updates)) state.updates.clear();
  state.settings.put("bot", { ...botSettings(state), webhook: { url, ...(secret ? { secret } : {}) } });
  state.wakeWebhook();
  return true;
}

function isWebhookAddress(url: string): boolean {
  const address = parseUrl(url);
  if (!address) return false;
  const { protocol, hostname, port } = address;
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

/** Stores `allowed_updates`, which stays in effect until it is sent again. */
function storeAllowedUpdates(state: TelegramState, text: Text): void {
  const allowed = jsonParameter(text, "allowed_updates");
  if (allowed === undefined) return;
  if (!Array.isArray(allowed)) throw badRequest("can't parse allowed_updates JSON object");
  const settings = botSettings(state);
  const names = allowed.map(String);
  if (JSON.stringify(names) !== JSON.stringify(settings.allowed))
    state.settings.put("bot", { ...settings, allowed: names });
}

/** Delivers queued updates to the webhook in order. Each is retried with growing pauses until it gets a 2xx response. */
export function runWebhook(state: TelegramState): { close(): void } {
  const closing = new AbortController();
  let isRunning = false;

  async function deliver(): Promise<void> {
    if (isRunning || closing.signal.aborted) return;
    isRunning = true;
    let pause = 1;
    for (
      let webhook = botSettings(state).webhook;
      webhook && !closing.signal.aborted;
      webhook = botSettings(state).webhook
    ) {
      const update = pendingUpdates(state)[0];
      if (!update) break;
      const secret: Record<string, string> = webhook.secret
        ? { "X-Telegram-Bot-Api-Secret-Token": webhook.secret }
        : {};
      const answer = await fetch(webhook.url, {
        method: "POST",
        headers: { "content-type": "application/json", ...secret },
        body: JSON.stringify(presentUpdate(update)),
        signal: endingAfter(60_000, closing.signal),
      }).catch(() => undefined);
      await answer?.body?.cancel().catch(() => {}); // an unread body can end the process (ADR 61)
      if (answer?.ok) {
        state.updates.delete(String(update.update_id));
        pause = 1;
      } else {
        await state.world.clock.wait(pause, closing.signal);
        pause = Math.min(pause * 2, 60);
      }
    }
    isRunning = false;
  }

  state.wakeWebhook = () => void deliver();
  state.wakeWebhook();
  return { close: () => closing.abort() };
}

/** A signal that aborts after the time, or with the other signal. Node 18 has no `AbortSignal.any`. */
function endingAfter(milliseconds: number, signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener("abort", abort, { signal: controller.signal });
  setTimeout(abort, milliseconds).unref();
  return controller.signal;
}
