"use client";
import { useEffect, useState } from "react";
import { serverNow } from "../api/client";

/** The server's time, updated for countdowns. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
