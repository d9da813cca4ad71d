"use client";
import { useEffect, useState } from "react";

/** The selected account tab, and a function that moves the focus to a field on any tab. */
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

/** Opens the `details` around a field, scrolls to the field and focuses it. */
function focusField(id: string): void {
  const field = document.getElementById(id);
  field?.closest("details")?.setAttribute("open", "");
  field?.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
}
