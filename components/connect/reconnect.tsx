"use client";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import type { ApiAccount } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { say } from "../ui/toast";
import { onConnected } from "./channel";
import { useConnectWindow } from "./use-connect-window";

type Props = {
  account: Pick<ApiAccount, "id" | "platform" | "accountUsername">;
  network: Pick<NetworkFacts, "name" | "isBot"> | undefined;
  /** Called once when the account is connected again, even if this button is no longer rendered by then. */
  then: () => void;
  children: ReactNode;
};

/**
 * A form that connects the account again in a window of its own, so that the person stays on the page. `children` has its
 * button. Without room for a window, or for a bot, it continues in this page.
 */
export function Reconnect({ account, network, then, children }: Props) {
  const { onSubmit, progress } = useConnectWindow();
  const isConnected = progress?.next === "write";
  const trouble = progress?.next === "again" || progress?.next === "here" ? progress.says : undefined;
  const connected = useEffectEvent(() => settle(account.id));
  useEffect(() => {
    if (isConnected) connected();
  }, [isConnected]);
  useEffect(() => {
    if (trouble) say((toast) => toast.error(trouble));
  }, [trouble]);
  return (
    <form
      method="post"
      action="/oauth/connect/new"
      onSubmit={(event) => {
        awaited.set(account.id, then);
        listen();
        // Once the browser has blocked the window, the next press continues in this page.
        if (network && !network.isBot && progress?.next !== "here") onSubmit(event, network.name);
      }}
    >
      <input type="hidden" name="platform" value={account.platform} />
      <input type="hidden" name="account" value={account.accountUsername} />
      <input type="hidden" name="reconnects" value={account.id} />
      <input type="hidden" name="ticket" />
      <input type="hidden" name="window" />
      {children}
    </form>
  );
}

/** What to do when an account is connected again. Kept here, because the button disappears as soon as it is. */
const awaited = new Map<number, () => void>();

function settle(accountId: number): void {
  const then = awaited.get(accountId);
  awaited.delete(accountId);
  then?.();
}

let isListening = false;

function listen(): void {
  if (!isListening) onConnected(settle);
  isListening = true;
}
