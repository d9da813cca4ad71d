"use client";
import dynamic from "next/dynamic";
import { useEffect, useSyncExternalStore } from "react";
import { useMe } from "../api/queries";
import { deviceZone } from "../time/zone";
import { Notice } from "../ui/notice";
import { wanted } from "../ui/toast";
import { DEVICE_ZONE_COOKIE, remember } from "./preferences";
import { shellWords } from "./words";

declare global {
  /** Read by `get-nonce`, which dialogs use to add the style that stops the page from scrolling. */
  var __webpack_nonce__: string | undefined;
}

if (typeof document !== "undefined") {
  globalThis.__webpack_nonce__ = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
}

/** Remembers the device's time zone for the server. */
export function DeviceZone() {
  useEffect(() => {
    // For the next visit, when this one ends: a cookie that a page sets while it loads replaces the one of a program that sends
    // the session in a header of its own, such as Lighthouse.
    const leave = () => remember(DEVICE_ZONE_COOKIE, deviceZone());
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
  }, []);
  return null;
}

/** Provides the document's nonce for styles added at runtime (lib/http/page-policy.ts). */
export function StyleNonce() {
  return null;
}

const region = () => import("./toast-region"); // imported in one place, or the bundler duplicates the chunk
const ToastRegion = dynamic(() => region().then(({ ToastRegion }) => ToastRegion), { ssr: false });

/** Load it after this time even if the page is never idle. */
const PATIENCE_MS = 2_000;

/** Short notices, loaded with the first one. */
export function Toasts() {
  const isWanted = useSyncExternalStore(wanted.subscribe, wanted.get, () => false);
  useEffect(fetchWhenIdle, []);
  return isWanted && <ToastRegion />;
}

/** Preloads the region when the page is idle, so that no press has to wait and notices work offline. */
function fetchWhenIdle() {
  const left = new AbortController();
  const fetchIt = () => void region().catch(() => {}); // loaded again when it is needed
  const whenIdle = () =>
    "requestIdleCallback" in window // missing in some versions of Safari
      ? requestIdleCallback(fetchIt, { timeout: PATIENCE_MS })
      : setTimeout(fetchIt, PATIENCE_MS);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true, signal: left.signal });
  return () => left.abort();
}

/** Shown on every page while publishing is paused or held, as wide as the page below it. */
export function PauseNotice() {
  const { data: me } = useMe();
  if (!me?.publishingPaused) return null;
  return (
    <Notice tone="warn" className="mb-6 md:has-[+[data-wide]]:-mx-3">
      <p className="font-semibold">{me.publishingHeld ? shellWords.held : shellWords.paused}</p>
      <p>{me.publishingHeld ? shellWords.heldWhat : shellWords.pausedWhat}</p>
      {me.publishingPausedReason && <p className="mt-1">{shellWords.pausedWhy(me.publishingPausedReason)}</p>}
    </Notice>
  );
}
