"use client";
import { useEffect } from "react";

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

/** Announces the connect to the page that opened this window and closes the window, if the browser allows it. */
export function CloseWindow({ accountId }: { accountId: number }) {
  useEffect(() => {
    announceConnected(accountId);
    window.close();
  }, [accountId]);
  return null;
}
