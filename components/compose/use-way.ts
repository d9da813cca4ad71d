"use client";
import { useEffect, useState } from "react";
import { goTo } from "./go-to";

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
