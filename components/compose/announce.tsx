"use client";
import { useCallback, useState } from "react";

/** Says what a key or a button did to people who do not see it. The same words twice are read twice. */
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
