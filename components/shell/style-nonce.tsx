"use client";

declare global {
  /** Where `get-nonce` looks, by which dialogs write the style that keeps the page behind them from scrolling. */
  var __webpack_nonce__: string | undefined;
}

if (typeof document !== "undefined") {
  globalThis.__webpack_nonce__ = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
}

/** Lends this document's nonce to what writes styles while the page is used (lib/http/page-policy.ts). */
export function StyleNonce() {
  return null;
}
