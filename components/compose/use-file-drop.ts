"use client";
import { useRef } from "react";
import { useDrop } from "./use-drop";
import type { Uploads } from "./use-uploads";

/** Files that are dropped, pasted or chosen come to the part of the thread that was written in last. */
export function useFileDrop(uploads: Uploads) {
  const part = useRef<string>(undefined);
  const drop = useDrop(uploads.add, () => part.current);
  return {
    ...drop,
    enter(partId: string) {
      part.current = partId;
    },
    openFor(partId: string) {
      part.current = partId;
      drop.open();
    },
  };
}

export type FileDrop = ReturnType<typeof useFileDrop>;
