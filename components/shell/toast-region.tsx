"use client";
import { useEffect } from "react";
import { Toaster, toast } from "sonner";
import { drawBy } from "../ui/toast";

/** Over every page and read out; above the bar under the thumb on phones. */
export function ToastRegion() {
  useEffect(() => drawBy(toast), []); // an effect of what is around comes last: by then the region listens
  return (
    <Toaster
      position="bottom-center"
      closeButton
      theme="system"
      mobileOffset={{ bottom: 80 }}
      toastOptions={{
        style: { background: "var(--surface)", color: "var(--ink)", borderColor: "var(--line)" },
        actionButtonStyle: { background: "var(--accent)", color: "var(--on-accent)", minHeight: "2rem" },
      }}
    />
  );
}
