"use client";
import { Toaster } from "sonner";

/** Short words about what was just done, over every page and read out; above the bar under the thumb on phones. */
export function Toasts() {
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
