"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Refreshes the page at an interval while it is visible, for things that end in another window. */
export function Refresh({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && router.refresh(), everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return null;
}
