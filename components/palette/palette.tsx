"use client";
import { useId, useRef } from "react";
import { Modal } from "../ui/modal";
import { CommandList, type Knows } from "./command-list";
import { KeyList } from "./key-list";

export type PaletteProps = Knows & {
  showing: "commands" | "keys" | undefined;
  show: (what: "keys") => void;
  /** Text typed while it was loading. */
  typed: string;
  close: () => void;
};

/** The palette dialog; Escape closes it without any effect. */
export function Palette({ showing, show, typed, close, ...knows }: PaletteProps) {
  const titleId = useId();
  const leaves = useRef(false);
  return (
    <Modal
      titleId={titleId}
      close={close}
      onClosed={() => {
        if (leaves.current) document.getElementById("main")?.focus({ preventScroll: true });
      }}
      className="mx-auto mt-3 max-h-[calc(100dvh-1.5rem)] w-[min(40rem,calc(100vw-1.5rem))] flex-col overflow-hidden open:flex md:mt-[12vh] md:max-h-[76vh]"
    >
      {showing === "keys" ? (
        <KeyList titleId={titleId} close={close} />
      ) : (
        <CommandList
          {...knows}
          titleId={titleId}
          typed={typed}
          close={close}
          showKeys={() => show("keys")}
          leave={() => {
            leaves.current = true;
            close();
          }}
        />
      )}
    </Modal>
  );
}
