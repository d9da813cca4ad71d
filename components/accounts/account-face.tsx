/* biome-ignore-all lint/performance/noImgElement: avatars come from the networks' own hosts, at the size they serve */
"use client";
import { useState } from "react";
import type { ApiAccount } from "../api/types";
import { NetworkBadge } from "../networks/badge";

type Props = { account: ApiAccount; size?: "size-12" | "size-9" };

/** An avatar with the mark of the network in the corner; only the mark if the picture does not load. */
export function AccountFace({ account, size = "size-12" }: Props) {
  const [isBroken, setBroken] = useState(false);
  const url = account.accountAvatarUrl;
  if (!url || isBroken) return <NetworkBadge platform={account.platform} className={size} />;
  return (
    <span className={`relative inline-block shrink-0 ${size}`}>
      <img
        src={url}
        alt=""
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
        className="size-full rounded-full object-cover"
      />
      <NetworkBadge platform={account.platform} className="-right-1 -bottom-1 absolute size-5 ring-2 ring-surface" />
    </span>
  );
}
