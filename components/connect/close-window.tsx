"use client";
import { useEffect } from "react";
import { announceConnected } from "./channel";

/** Announces the connect to the page that opened this window and closes the window, if the browser allows it. */
export function CloseWindow({ accountId }: { accountId: number }) {
  useEffect(() => {
    announceConnected(accountId);
    window.close();
  }, [accountId]);
  return null;
}
