"use client";
import { type ClipboardEvent, useState } from "react";
import { useDropzone } from "react-dropzone";

const MAX_MB = 100;

/** Files dropped on the form, pasted into it or chosen; each refused one with its reason. */
export function useDrop(add: (files: File[]) => void) {
  const [refused, setRefused] = useState<string[]>([]);
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    noClick: true,
    noKeyboard: true,
    accept: { "image/*": [], "video/*": [] },
    maxSize: MAX_MB * 1024 * 1024,
    onDrop: (accepted, rejections) => {
      setRefused(rejections.map(({ file, errors }) => `${file.name}: ${reason(errors[0]?.code)}`));
      add(accepted);
    },
  });

  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  }

  return {
    rootProps: getRootProps({ role: undefined }),
    inputProps: getInputProps({ "aria-label": "Add pictures or videos" }),
    open,
    isDragging: isDragActive,
    refused,
    onPaste,
  };
}

function reason(code: string | undefined): string {
  return code === "file-too-large" ? `is too large: the maximum is ${MAX_MB} MB` : "is neither a picture nor a video";
}
