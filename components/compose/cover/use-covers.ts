"use client";
import { type Dispatch, type SetStateAction, useRef } from "react";
import { sendFile } from "../send-file";
import { thumbnailOf } from "../thumbnail";
import type { Cover, Upload } from "../use-uploads";

/** Covers of videos: each is uploaded as any file, and stands with the video that it is for. */
export function useCovers(setItems: Dispatch<SetStateAction<Upload[]>>) {
  const running = useRef(new Map<string, AbortController>());

  /** In the place of the one before, which is not waited for; without a file the choice is each network's again. */
  function setCover(id: string, file: File | undefined) {
    running.current.get(id)?.abort();
    const stop = new AbortController();
    running.current.set(id, stop);
    const put = (cover: (before: Cover | undefined) => Cover | undefined) =>
      stop.signal.aborted ||
      setItems((all) => all.map((item) => (item.id === id ? { ...item, cover: cover(item.cover) } : item)));
    put(() => file && { name: file.name, share: 0 });
    if (!file) return;
    const change = (to: Partial<Cover>) => put((before) => before && { ...before, ...to });
    sendFile(file, { onProgress: (share) => change({ share }), signal: stop.signal }).then(
      (path) => change({ path, share: 1 }),
      ({ message }: Error) => change({ error: message }),
    );
    thumbnailOf(file).then((thumb) => change({ thumb }));
  }
  return { setCover };
}
