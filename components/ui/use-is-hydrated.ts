"use client";
import { useSyncExternalStore } from "react";

const unchanging = () => () => {};

/** Whether the page's script runs; false on the server and in the first render, which must equal the server's. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    unchanging,
    () => true,
    () => false,
  );
}
