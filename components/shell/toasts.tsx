"use client";
import dynamic from "next/dynamic";
import { useEffect, useSyncExternalStore } from "react";
import { wanted } from "../ui/toast";

const region = () => import("./toast-region"); // named once, or its script is built twice
const ToastRegion = dynamic(() => region().then(({ ToastRegion }) => ToastRegion), { ssr: false });

/** A page that never rests gets it after so long all the same. */
const PATIENCE_MS = 2_000;

/** Short words about what was just done, from the first one on. */
export function Toasts() {
  const isWanted = useSyncExternalStore(wanted.subscribe, wanted.get, () => false);
  useEffect(fetchWhenIdle, []);
  return isWanted && <ToastRegion />;
}

/**
 * What draws them comes once the page has loaded and rests: no press has to wait for it, and when there is something to say
 * the line may be down.
 */
function fetchWhenIdle() {
  const left = new AbortController();
  const fetchIt = () => void region().catch(() => {}); // asked for again when it is needed
  const whenIdle = () =>
    "requestIdleCallback" in window // not in every Safari
      ? requestIdleCallback(fetchIt, { timeout: PATIENCE_MS })
      : setTimeout(fetchIt, PATIENCE_MS);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true, signal: left.signal });
  return () => left.abort();
}
