"use client";
import { useEffect } from "react";
import { tellConnected } from "./channel";

/** Tells the page that opened this window, and closes the window; where that is not allowed, the page says what to do. */
export function CloseWindow({ accountId }: { accountId: number }) {
  useEffect(() => {
    tellConnected(accountId);
    window.close();
  }, [accountId]);
  return null;
}
