"use client";
import { type ChangeEvent, type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from "react";
import { filesInFolders, splitDrop } from "./folder-files";
import type { FilePlace, Uploads } from "./use-uploads";
import { uploadWords } from "./words";

const MAX_MB = 100;

/**
 * Returns why a file is refused; undefined for a picture, video or PDF within the size limit. The server checks the
 * content.
 */
export function fileProblem({ name, type, size }: Pick<File, "name" | "type" | "size">): string | undefined {
  if (!/^(image\/|video\/|application\/pdf$)/.test(type)) return uploadWords.drop.notMedia(name);
  return size > MAX_MB * 1024 * 1024 ? uploadWords.drop.tooLarge(name, MAX_MB) : undefined;
}

const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) => dataTransfer?.types.includes("Files");

/**
 * Accepts files and folders that are dropped, pasted or chosen, and reports refused ones.
 * @param place where the files go, read at the drop because reading a folder takes time
 */
export function useDrop(
  add: (files: File[], place?: FilePlace) => void,
  place: () => FilePlace | undefined = () => undefined,
) {
  const [refused, setRefused] = useState<string[]>([]);
  const [isDragging, setDragging] = useState(false);
  const [reading, setReading] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  usePreventFileNavigation();

  function take(files: File[], at = place(), leftOut: string[] = []) {
    const wrong = files.flatMap((file) => fileProblem(file) ?? []);
    setRefused([...new Set([...leftOut, ...wrong])]);
    add(
      files.filter((file) => !fileProblem(file)),
      at,
    );
  }

  async function takeDropped(dataTransfer: DataTransfer) {
    const { folders, files } = splitDrop(dataTransfer);
    if (folders.length === 0) return take(files);
    const at = place();
    setReading((count) => count + 1);
    const inFolders = await filesInFolders(folders);
    setReading((count) => count - 1);
    take([...files, ...inFolders.files], at, inFolders.leftOut);
  }

  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    add(files, place());
  }

  return {
    rootProps: {
      onDragOver: (event: DragEvent) => hasFiles(event) && setDragging(true),
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) =>
        setDragging((before) => before && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
      onDrop: (event: DragEvent) => {
        setDragging(false);
        if (hasFiles(event)) void takeDropped(event.dataTransfer);
      },
    },
    inputProps: {
      ref: input,
      type: "file",
      multiple: true,
      accept: "image/*,video/*,application/pdf",
      hidden: true,
      "aria-label": uploadWords.drop.addFiles,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
        take([...(target.files ?? [])]);
        target.value = ""; // so that the same file can be chosen again
      },
    },
    open: () => input.current?.click(),
    isDragging,
    isReading: reading > 0,
    refused,
    onPaste,
  };
}

/** Prevents the browser from opening a file dropped outside the drop zone, which would lose the text. */
function usePreventFileNavigation() {
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => hasFiles(event) && event.preventDefault();
    for (const kind of ["dragover", "drop"] as const) addEventListener(kind, keep);
    return () => {
      for (const kind of ["dragover", "drop"] as const) removeEventListener(kind, keep);
    };
  }, []);
}

/**
 * Adds files to the part of the thread that was edited last.
 * @param only who alone gets them; all accounts if undefined
 */
export function useFileDrop(uploads: Uploads, only: string | undefined) {
  const part = useRef<string>(undefined);
  const place = (): FilePlace => ({ partId: part.current, only });
  const drop = useDrop(uploads.add, place);
  return {
    ...drop,
    place,
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
