"use client";
import { type ReactNode, useEffect, useRef } from "react";

/** Brings what somebody came for into view, and the keyboard there. */
export function Sought({ isSought, children }: { isSought: boolean; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isSought) return;
    place.current?.scrollIntoView({ block: "center" });
    place.current?.focus({ preventScroll: true });
  }, [isSought]);
  return (
    <div ref={place} tabIndex={isSought ? -1 : undefined} className="rounded-2xl focus:outline-3 focus:outline-accent">
      {children}
    </div>
  );
}
