"use client";
import { useCallback, useState } from "react";

/** Announces to screen readers what a key or a button did. The `key` makes the same text be read twice. */
export function useAnnouncer() {
  const [said, setSaid] = useState({ text: "", times: 0 });
  const announce = useCallback((text: string) => setSaid(({ times }) => ({ text, times: times + 1 })), []);
  const region = (
    <p role="status" className="sr-only">
      <span key={said.times}>{said.text}</span>
    </p>
  );
  return { announce, region };
}
