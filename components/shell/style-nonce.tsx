"use client";

declare global {
  /** Read by `get-nonce`, which dialogs use to add the style that stops the page from scrolling. */
  var __webpack_nonce__: string | undefined;
}

if (typeof document !== "undefined") {
  globalThis.__webpack_nonce__ = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
}

/** Provides the document's nonce for styles added at runtime (lib/http/page-policy.ts). */
export function StyleNonce() {
  return null;
}
