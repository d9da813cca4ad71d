"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Shows the page anew every so often, for what ends in another window; not while nobody looks at it. */
export function Refresh({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && router.refresh(), everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return null;
}
