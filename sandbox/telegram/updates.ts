import { BotRefusal } from "./errors";
import { botSettings, type TelegramState, type Update } from "./state";

export type UpdateType = "message" | "my_chat_member" | "channel_post" | "chat_member" | (string & {});
export type Poll = { wake(refusal?: BotRefusal): void };

const KEPT_SECONDS = 86_400;
/** Off until asked for; source: Bot API, getUpdates, allowed_updates. */
const OFF_BY_DEFAULT = ["chat_member", "message_reaction", "message_reaction_count"];

/** Queues an update for the bot, if it wants that kind, and wakes whoever waits for it. */
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
export function pendingUpdates(state: TelegramState): Update[] {
  const from = state.world.clock.now() - KEPT_SECONDS * 1000;
  for (const old of state.updates.values()) if (old.date < from) state.updates.delete(String(old.update_id));
  return state.updates.values();
}

export function presentUpdate({ update_id, body }: Update) {
  return { update_id, ...body };
}

/** Everything before `offset` has been received. */
export function acknowledge(state: TelegramState, offset: number): void {
  const pending = pendingUpdates(state);
  // A negative offset counts from the end of the queue and forgets what is before.
  const from = offset < 0 ? (pending.at(offset)?.update_id ?? pending[0]?.update_id ?? 0) : offset;
  for (const { update_id } of pending) if (update_id < from) state.updates.delete(String(update_id));
}

/** Waits until there is an update, the time is up, the caller has gone or another poller came (409 for this one). */
export async function waitForUpdate(state: TelegramState, seconds: number, signal: AbortSignal): Promise<void> {
  const conflict = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
  state.poll?.wake(new BotRefusal(409, conflict));
  if (pendingUpdates(state).length > 0 || seconds === 0) return;
  const wakeUp = new AbortController();
  let refusal: BotRefusal | undefined;
  const poll: Poll = {
    wake(reason) {
      refusal = reason;
      wakeUp.abort();
    },
  };
  state.poll = poll;
  await state.world.clock.wait(seconds, AbortSignal.any([wakeUp.signal, signal]));
  if (state.poll === poll) state.poll = undefined;
  if (refusal) throw refusal;
}
