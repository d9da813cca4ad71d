import type { ReactNode } from "react";
import { Notice } from "../ui/notice";
import { consoleWords } from "./words";

/** Shows a form; disabled, with the reason, to someone whose role does not allow the change. The server checks it again. */
export function Changeable({ isAllowed, children }: { isAllowed: boolean; children: ReactNode }) {
  if (isAllowed) return children;
  return (
    <div className="grid gap-6">
      <Notice tone="info">{consoleWords.lookOnly}</Notice>
      <fieldset disabled className="min-w-0">
        {children}
      </fieldset>
    </div>
  );
}
