import type { Call } from "../core/network";

/** `{"ok":false,…}` with the HTTP status of the same number; source: Bot API, making requests. */
export class BotRefusal extends Error {
  constructor(
    readonly code: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500,
    description: string,
    readonly parameters?: { retry_after?: number; migrate_to_chat_id?: number },
  ) {
    super(description);
  }
}

export function badRequest(text: string): BotRefusal {
  return new BotRefusal(400, `Bad Request: ${text}`);
}

export function tooManyRequests(seconds: number): BotRefusal {
  return new BotRefusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

export function unauthorized(): BotRefusal {
  return new BotRefusal(401, "Unauthorized");
}

export function onError(call: Call, error: Error): Response {
  const refusal = error instanceof BotRefusal ? error : new BotRefusal(500, "Internal Server Error: restart");
  if (refusal !== error) process.stderr.write(`${error.stack}\n`);
  const { code, message, parameters } = refusal;
  return call.json({ ok: false, error_code: code, description: message, ...(parameters ? { parameters } : {}) }, code);
}
