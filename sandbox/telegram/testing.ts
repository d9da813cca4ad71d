import type { TestSandbox } from "../testing/sandbox";

export const TOKEN = "1000000001:sandbox-telegram-bot";
type Answer = {
  ok: boolean;
  result: never;
  error_code?: number;
  description?: string;
  parameters?: { retry_after?: number };
};

/** Calls Bot API methods with JSON and returns the response bodies. */
export function botOf(sandbox: TestSandbox) {
  const at = (method: string) => `${sandbox.url}/telegram/bot${TOKEN}/${method}`;
  return {
    at,
    async call(method: string, body: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Answer> {
      const answer = await fetch(at(method), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
      });
      return answer.json();
    },
    async multipart(
      method: string,
      fields: Record<string, string>,
      files: Record<string, Uint8Array>,
    ): Promise<Answer> {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      for (const [name, bytes] of Object.entries(files))
        body.set(name, new Blob([new Uint8Array(bytes)]), `${name}.bin`);
      return (await fetch(at(method), { method: "POST", body })).json();
    },
    /** Presses Start as a user and selects channels. */
    start(code: string, account = "alice", channels?: string[]): Promise<Response> {
      const form = new URLSearchParams([
        ["account", account],
        ["decision", "allow"],
        ...(channels ?? []).map((channel) => ["channel", channel]),
      ]);
      return fetch(`${sandbox.url}/telegram/carillon_sandbox_bot?start=${code}`, { method: "POST", body: form });
    },
  };
}

export type Bot = ReturnType<typeof botOf>;
type Update = {
  update_id: number;
  message?: { text: string; from: { id: number } };
  my_chat_member?: { chat: { id: number; title: string; username?: string } };
};

/** Links a user, reads the ids of their two channels from the updates and acknowledges them. */
export async function link(
  bot: Bot,
  account = "alice",
): Promise<{ publicId: number; privateId: number; userId: number }> {
  await bot.start("code", account);
  const updates: Update[] = (await bot.call("getUpdates")).result;
  await bot.call("getUpdates", { offset: (updates.at(-1)?.update_id ?? 0) + 1 });
  const chats = updates.flatMap((update) => update.my_chat_member?.chat ?? []);
  return {
    publicId: chats.find(({ username }) => username)?.id ?? 0,
    privateId: chats.find(({ username }) => !username)?.id ?? 0,
    userId: updates.find((update) => update.message)?.message?.from.id ?? 0,
  };
}
