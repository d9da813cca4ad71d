"use client";
import { useCallback, useRef, useState } from "react";
import type { Attachment } from "./draft";
import { sendFile } from "./send-file";
import { thumbnailOf } from "./thumbnail";

/** A file on its way to storage, or there (`path`), or stopped (`error`). */
export type Upload = Omit<Attachment, "path"> & { id: string; path?: string; share: number; error?: string };

export type Uploads = {
  items: Upload[];
  /** @param partId the part of a thread that they belong to */
  add: (files: File[], partId?: string) => void;
  retry: (id: string) => void;
  remove: (id: string) => void;
  /** Before or behind the one next to it in its part. */
  move: (id: string, by: -1 | 1) => void;
  /** All files of one part become another's. */
  hand: (from: string, to: string) => void;
};

/** Uploads start at once and keep their order; a post can be written meanwhile. */
export function useUploads(initial: () => Attachment[]): Uploads {
  const [items, setItems] = useState<Upload[]>(() => initial().map((file) => ({ ...file, id: file.path, share: 1 })));
  const running = useRef(new Map<string, { file: File; stop: AbortController }>());

  const change = useCallback((id: string, to: Partial<Upload>) => {
    setItems((all) => all.map((item) => (item.id === id ? { ...item, ...to } : item)));
  }, []);

  const send = useCallback(
    (id: string, file: File) => {
      const stop = new AbortController();
      running.current.set(id, { file, stop });
      change(id, { share: 0, error: undefined });
      sendFile(file, { onProgress: (share) => change(id, { share }), signal: stop.signal }).then(
        (path) => change(id, { path, share: 1 }),
        (error: Error) => change(id, { error: error.message }),
      );
    },
    [change],
  );

  function add(files: File[], partId?: string) {
    for (const file of files) {
      const id = `${file.name}-${performance.now()}`;
      const kind = file.type.startsWith("video/") ? "video" : "image";
      setItems((all) => [...all, { id, name: file.name, kind, share: 0, partId }]);
      send(id, file);
      thumbnailOf(file).then((thumb) => change(id, { thumb }));
    }
  }

  function retry(id: string) {
    const file = running.current.get(id)?.file;
    if (file) send(id, file);
  }

  function remove(id: string) {
    running.current.get(id)?.stop.abort();
    running.current.delete(id);
    setItems((all) => all.filter((item) => item.id !== id));
  }

  const move = (id: string, by: -1 | 1) => setItems((all) => moved(all, id, by));

  function hand(from: string, to: string) {
    setItems((all) => all.map((item) => (item.partId === from ? { ...item, partId: to } : item)));
  }

  return { items, add, retry, remove, move, hand };
}

/** Files with one of them in its neighbour's place; a file of another part is no neighbour. */
export function moved<Item extends { id: string; partId?: string }>(all: Item[], id: string, by: -1 | 1): Item[] {
  const item = all.find((one) => one.id === id);
  const part = all.filter(({ partId }) => partId === item?.partId);
  const other = item && part[part.indexOf(item) + by];
  if (!item || !other) return all;
  return all.map((one) => (one === item ? other : one === other ? item : one));
}
