"use client";
import { useEffect, useState } from "react";

const PAUSE_MS = 200;

/** A text once it has stayed the same for a moment, so that not every letter that is typed is asked for. */
export function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
