import { botSettings, type TelegramState } from "./state";
import { pendingUpdates, presentUpdate } from "./updates";

/** Delivers queued updates one after the other, again and again with growing pauses until they are answered with 2xx. */
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
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(60_000)]),
      }).catch(() => undefined);
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
