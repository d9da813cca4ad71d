"use client";
import dynamic from "next/dynamic";
import { useEffect, useSyncExternalStore } from "react";
import { wanted } from "../ui/toast";

const region = () => import("./toast-region"); // named once, or its script is built twice
const ToastRegion = dynamic(() => region().then(({ ToastRegion }) => ToastRegion), { ssr: false });

/** Short words about what was just done, from the first one on. */
export function Toasts() {
  const isWanted = useSyncExternalStore(wanted.subscribe, wanted.get, () => false);
  useEffect(fetchWithFirstTouch, []);
  return isWanted && <ToastRegion />;
}

/** What draws them comes with the first touch or key: when there is something to say, the line may be down. */
function fetchWithFirstTouch() {
  const done = new AbortController();
  const fetchIt = () => {
    done.abort();
    region().catch(() => {}); // asked for again when it is needed
  };
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, fetchIt, { signal: done.signal });
  return () => done.abort();
}
