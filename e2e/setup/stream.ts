import { expect } from "playwright/test";

export type Follower = {
  /** The messages received so far, in order. */
  messages: { id: string; type: string }[];
  /** Whether the server has closed the stream. */
  hasEnded(): boolean;
  leave(): void;
};

/**
 * Follows the event stream of a signed-in person at a web process, as a browser's EventSource does (WHATWG HTML,
 * "Server-sent events").
 * @param lastEventId the event after which the stream continues; without it the stream starts now
 */
export async function follow(url: string, cookie: string, lastEventId?: string): Promise<Follower> {
  const leaving = new AbortController();
  const headers = { cookie, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
  const answer = await fetch(`${url}/live`, { headers, signal: leaving.signal });
  expect(answer.status).toBe(200);
  const messages: Follower["messages"] = [];
  let hasEnded = false;
  const reading = async () => {
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const whole = `${text}${part.value}`.split("\n\n");
      text = whole.pop() ?? "";
      messages.push(...whole.flatMap(messageIn));
    }
  };
  reading()
    .catch(() => {}) // closed by either side
    .finally(() => {
      hasEnded = true;
    });
  return { messages, hasEnded: () => hasEnded, leave: () => leaving.abort() };
}

/** Returns the message in a block, if any: comments and `retry` fields are not messages. */
function messageIn(block: string): Follower["messages"] {
  const [, id, data] = /^id: (\S+)\ndata: (.+)$/.exec(block) ?? [];
  return id && data ? [{ id, type: JSON.parse(data).type }] : [];
}
