"use client";
import { useEffect, useState } from "react";

/** Which account is looked at, and the way to a field, which may be another account's. */
export function useFieldFocus() {
  const [at, setAt] = useState<string>();
  const [target, setTarget] = useState<{ field: string }>();
  useEffect(() => {
    if (target) focusField(target.field);
  }, [target]);
  function goToField(field: string, accountKey: string | undefined) {
    if (accountKey) setAt(accountKey);
    setTarget({ field });
  }
  return { at, setAt, goToField };
}

/** Leads to a field: opens what it is folded away in, and puts the cursor there. */
function focusField(id: string): void {
  const field = document.getElementById(id);
  field?.closest("details")?.setAttribute("open", "");
  field?.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
}
