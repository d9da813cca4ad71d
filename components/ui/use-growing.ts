"use client";
import { startTransition, useEffect, useState } from "react";

/** How many of so many things to draw: one at first, then one more at a time, so that no press waits for a long list. */
export function useGrowing(total: number): number {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count >= total) return;
    const timer = setTimeout(() => startTransition(() => setCount(count + 1)));
    return () => clearTimeout(timer);
  }, [count, total]);
  return count;
}
