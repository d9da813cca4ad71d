"use client";
import { useState } from "react";
import { Button } from "./button";
import { Check, Copy } from "./icons";
import { uiWords } from "./words";

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => setIsCopied(true));
  return (
    <Button look="quiet" onClick={copy}>
      {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      {isCopied ? uiWords.copied : uiWords.copy}
    </Button>
  );
}
