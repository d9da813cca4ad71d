"use client";
import { useEffect, useState } from "react";

/** Which account is looked at, and the way to a field, which may be another account's. */
export function useWay() {
  const [at, setAt] = useState<string>();
  const [wish, setWish] = useState<{ field: string }>();
  useEffect(() => {
    if (wish) goTo(wish.field);
  }, [wish]);
  function lead(field: string, accountKey: string | undefined) {
    if (accountKey) setAt(accountKey);
    setWish({ field });
  }
  return { at, setAt, lead };
}

/** Leads to a field: opens what it is folded away in, and puts the cursor there. */
function goTo(id: string): void {
  const field = document.getElementById(id);
  field?.closest("details")?.setAttribute("open", "");
  field?.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
}
