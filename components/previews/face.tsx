/* biome-ignore-all lint/performance/noImgElement: avatars come from the networks' own hosts, at the size they serve */
"use client";
import { useState } from "react";
import type { Preview } from "./types";

/** The author's avatar, or the first letter of the name. */
export function Face({ author, className = "size-9" }: { author: Preview["author"]; className?: string }) {
  const [isBroken, setBroken] = useState(false);
  if (author.avatarUrl && !isBroken) {
    return (
      <img
        src={author.avatarUrl}
        alt=""
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
        className={`shrink-0 rounded-full object-cover ${className}`}
      />
    );
  }
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center rounded-full bg-neutral-600 font-semibold text-sm text-white ${className}`}
    >
      {author.name.replace(/^@/, "").charAt(0).toUpperCase()}
    </span>
  );
}
