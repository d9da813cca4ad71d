import type { Call } from "../core/network";

/** A Bot API error: `{"ok":false,…}` with the error code as HTTP status. Source: Bot API, making requests. */
export class BotError extends Error {
  constructor(
    readonly code: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500,
    description: string,
    readonly parameters?: { retry_after?: number; migrate_to_chat_id?: number },
  ) {
    super(description);
  }
}

export function badRequest(text: string): BotError {
  return new BotError(400, `Bad Request: ${text}`);
}

export function tooManyRequests(seconds: number): BotError {
  return new BotError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

export function unauthorized(): BotError {
  return new BotError(401, "Unauthorized");
}

export function onError(call: Call, error: Error): Response {
  const refusal = error instanceof BotError ? error : new BotError(500, "Internal Server Error: restart");
  if (refusal !== error) process.stderr.write(`${error.stack}\n`);
  const { code, message, parameters } = refusal;
  return call.json({ ok: false, error_code: code, description: message, ...(parameters ? { parameters } : {}) }, code);
}
