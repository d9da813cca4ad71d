/**
 * How the window that ends at our own page tells the page that opened it: by a channel that only pages of this origin hear.
 * Nothing is sent to whoever opened a window (`postMessage`), which may be anybody, and which a network can cut off.
 */
const NAME = "carillon connect";

export function tellConnected(accountId: number): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(accountId);
  channel.close();
}

/** Answers how to stop listening. */
export function onConnected(hear: (accountId: number) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "number" && Number.isInteger(data)) hear(data);
  };
  return () => channel.close();
}
