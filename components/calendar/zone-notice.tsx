"use client";
import { useEffect, useMemo, useState } from "react";
import { serverNow } from "../api/client";
import { isSameClock, ownZone, zoneName } from "../time/zone";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { TITLE_ID } from "./toolbar";
import { calendarWords } from "./words";

const KEPT = "carillon.zone";

/** Where this browser is in another zone than it was: that the times are shown anew, and nothing has moved. */
export function ZoneNotice() {
  const own = ownZone();
  const [before, setBefore] = useState(kept);
  useEffect(() => {
    if (!before) keep(own);
  }, [before, own]);
  const isSame = useMemo(() => !before || isSameClock(before, own, serverNow()), [before, own]);
  if (!before || isSame) return null;
  const seen = (
    <Button
      look="quiet"
      onClick={() => {
        keep(own);
        setBefore(own);
        document.getElementById(TITLE_ID)?.focus();
      }}
    >
      {calendarWords.gotIt}
    </Button>
  );
  return (
    <Notice tone="info" action={seen}>
      {calendarWords.zoneChanged(zoneName(before), zoneName(own))}
    </Notice>
  );
}

/** Nothing where storage is forbidden: then every visit is the first. */
function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(zone: string): void {
  try {
    localStorage.setItem(KEPT, zone);
  } catch {
    // It is asked for again at the next visit.
  }
}
