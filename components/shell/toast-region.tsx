"use client";
import { type FocusEvent, useEffect } from "react";
import { Toaster, toast } from "sonner";
import { drawBy } from "../ui/toast";

/** Sonner keeps notices while the mouse is over them. This does the same while one of their buttons has the focus. */
const hold = ({ target }: FocusEvent) => void target.dispatchEvent(new MouseEvent("mousemove", { bubbles: true }));
const letGo = ({ target, relatedTarget }: FocusEvent) =>
  void target.dispatchEvent(new MouseEvent("mouseout", { bubbles: true, relatedTarget }));

/** The toast region, above the bottom bar on phones. */
export function ToastRegion() {
  useEffect(() => drawBy(toast), []); // a parent's effect runs last, so the region is listening by then
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices the focus of the buttons in it
    <div
      onFocus={hold}
      onBlur={letGo}
      className="[&_:focus-visible]:outline-3! [&_:focus-visible]:outline-accent! [&_button:focus-visible]:outline-gold! [&_[data-close-button]]:after:absolute [&_[data-close-button]]:after:-inset-3.25"
    >
      <Toaster
        position="bottom-center"
        closeButton
        expand
        theme="system"
        style={{ fontFamily: "inherit" }}
        mobileOffset={{ bottom: 80 }}
        toastOptions={{
          style: { background: "var(--frame)", color: "var(--frame-ink)", borderColor: "var(--frame-line)" },
          actionButtonStyle: { background: "transparent", color: "var(--gold)", minHeight: "2rem" },
        }}
      />
    </div>
  );
}
