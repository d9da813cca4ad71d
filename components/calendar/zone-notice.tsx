"use client";
import { useEffect, useMemo, useState } from "react";
import { serverNow } from "../api/client";
import { chosenZone, isSameClock, ownZone, zoneName } from "../time/zone";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { TITLE_ID } from "./toolbar";
import { calendarWords } from "./words";

const KEPT = "carillon.zone";

/** Tells the reader that the browser's time zone has changed, and that no post has moved. */
export function ZoneNotice() {
  const own = ownZone();
  const [before, setBefore] = useState(kept);
  useEffect(() => {
    if (!before && !chosenZone()) keep(own);
  }, [before, own]);
  const isSame = useMemo(() => !before || isSameClock(before, own, serverNow()), [before, own]);
  if (!before || isSame || chosenZone()) return null;
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

/** Returns null if storage is forbidden; every visit is then the first. */
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
    // The notice appears again at the next visit.
  }
}
