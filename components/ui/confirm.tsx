"use client";
import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button";
import { uiWords } from "./words";

type Props = {
  trigger: ReactNode;
  title: string;
  children: ReactNode;
  action: string;
  onConfirm: () => void;
  /** What the action depends on is not known yet. */
  isOff?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
};

/** Asks before an irreversible action; Escape and the first button cancel. */
export function Confirm({ trigger, title, children, action, onConfirm, isOff = false, onOpenChange }: Props) {
  return (
    <AlertDialog.Root onOpenChange={onOpenChange}>
      <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <AlertDialog.Content className="fixed top-1/2 left-1/2 z-50 w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-2xl border border-line bg-surface p-6 shadow-xl">
          <AlertDialog.Title className="font-semibold text-lg">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 text-muted">{children}</div>
          </AlertDialog.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <AlertDialog.Cancel asChild>
              <Button look="quiet">{uiWords.keep}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button
                look="danger"
                aria-disabled={isOff}
                onClick={(event) => (isOff ? event.preventDefault() : onConfirm())}
              >
                {action}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
