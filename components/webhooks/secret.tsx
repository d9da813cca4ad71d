"use client";
import { CopyButton } from "../ui/copy-button";
import { Notice } from "../ui/notice";
import { webhookWords } from "./words";

/** A new secret, which is shown this once. */
export function Secret({ secret, note }: { secret: string; note?: string }) {
  return (
    <Notice tone="good" action={<CopyButton text={secret} />}>
      <p className="font-medium">{webhookWords.secretIsNew}</p>
      <code className="mt-1 block break-all text-sm">{secret}</code>
      {note && <p className="mt-1 text-sm">{note}</p>}
    </Notice>
  );
}
