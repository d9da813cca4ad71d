"use client";
import { useEffect } from "react";
import { Toaster, toast } from "sonner";
import { drawBy } from "../ui/toast";

/** The toast region, above the bottom bar on phones. */
export function ToastRegion() {
  useEffect(() => drawBy(toast), []); // a parent's effect runs last, so the region is listening by then
  return (
    <Toaster
      position="bottom-center"
      closeButton
      expand
      theme="system"
      mobileOffset={{ bottom: 80 }}
      toastOptions={{
        style: { background: "var(--surface)", color: "var(--ink)", borderColor: "var(--line)" },
        actionButtonStyle: { background: "var(--accent)", color: "var(--on-accent)", minHeight: "2rem" },
      }}
    />
  );
}
