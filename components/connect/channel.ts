/**
 * How the connect window tells the page that opened it about its end: through a BroadcastChannel, which only pages of this
 * origin receive. `postMessage` to the opener is not used: the opener may be any site, and a network can cut it off.
 */
const NAME = "carillon connect";

export function announceConnected(accountId: number): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(accountId);
  channel.close();
}

/** Returns a function that stops listening. */
export function onConnected(listener: (accountId: number) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "number" && Number.isInteger(data)) listener(data);
  };
  return () => channel.close();
}
