"use client";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";

/** A new secret, which is shown this once. */
export function Secret({ secret, note }: { secret: string; note?: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(secret).then(() => setIsCopied(true));
  const button = (
    <Button look="quiet" onClick={copy}>
      {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      {isCopied ? "Copied" : "Copy"}
    </Button>
  );
  return (
    <Notice tone="good" action={button}>
      <p className="font-medium">Its secret, shown only now. Put it where your receiver verifies signatures:</p>
      <code className="mt-1 block break-all text-sm">{secret}</code>
      {note && <p className="mt-1 text-sm">{note}</p>}
    </Notice>
  );
}
