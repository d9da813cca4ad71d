"use client";
import { type Dispatch, type SetStateAction, useCallback, useRef, useState } from "react";
import type { Attachment } from "../draft/draft";
import { sendFile } from "./send-file";
import { thumbnailOf } from "./thumbnail";

/** A file on its way to storage, or there (`path`), or stopped (`error`). */
export type Upload = Omit<Attachment, "path" | "cover"> &
  Sent & {
    id: string;
    cover?: Cover;
    /** The file whose place it took. */
    before?: Upload;
  };

/** What stands for a video; as any file it may be on its way, or stopped. */
export type Cover = Omit<NonNullable<Attachment["cover"]>, "path"> & Sent;

/** A file on its way; `made` is what is done with it once it is stored. */
type Running = { file: File; stop: AbortController; made?: (path: string) => Promise<void> };

type Sent = { path?: string; share: number; error?: string };

export type Uploads = {
  items: Upload[];
  /** @param partId the part of a thread that they belong to */
  add: (files: File[], partId?: string) => void;
  retry: (id: string) => void;
  remove: (id: string) => void;
  /** Before or behind the one next to it in its part. */
  move: (id: string, by: -1 | 1) => void;
  /** Another file in the place of one. @param made what else has to be done with it before it counts as stored */
  replace: (id: string, file: File, made: (path: string) => Promise<void>) => void;
  /** The one that was there before. */
  restore: (id: string) => void;
  /** Another cover for a video; without one the choice is each network's. */
  setCover: (id: string, file: File | undefined) => void;
  /** All files of one part become another's. */
  moveToPart: (from: string, to: string) => void;
};

/** Uploads start at once and keep their order; a post can be written meanwhile. */
export function useUploads(initial: () => Attachment[]): Uploads {
  const [items, setItems] = useState<Upload[]>(() => initial().map(storedUpload));
  const { setCover } = useCovers(setItems);
  const running = useRef(new Map<string, Running>());

  const change = useCallback((id: string, to: Partial<Upload>) => {
    setItems((all) => all.map((item) => (item.id === id ? { ...item, ...to } : item)));
  }, []);

  const send = useCallback(
    (id: string, file: File, made?: Running["made"]) => {
      const stop = new AbortController();
      running.current.set(id, { file, stop, made });
      const to = (what: Partial<Upload>) => stop.signal.aborted || change(id, what);
      to({ share: 0, error: undefined });
      const sent = sendFile(file, { onProgress: (share) => to({ share }), signal: stop.signal });
      sent
        .then(async (path) => {
          await made?.(path);
          to({ path, share: 1 });
        })
        .catch(({ message }: Error) => to({ error: message }));
    },
    [change],
  );

  function add(files: File[], partId?: string) {
    for (const [index, file] of files.entries()) {
      const id = `${file.name}-${performance.now()}-${index}`; // in folders several may have one name
      const kind = file.type.startsWith("video/") ? "video" : "image";
      setItems((all) => [...all, { id, name: file.name, kind, share: 0, partId }]);
      send(id, file);
      thumbnailOf(file).then((thumb) => change(id, { thumb }));
    }
  }

  function retry(id: string) {
    const { file, made } = running.current.get(id) ?? {};
    if (file) send(id, file, made);
  }

  function replace(id: string, file: File, made: Running["made"]) {
    setItems((all) =>
      all.map((item) =>
        item.id === id ? { id, name: file.name, kind: item.kind, share: 0, partId: item.partId, before: item } : item,
      ),
    );
    send(id, file, made);
    thumbnailOf(file).then((thumb) => running.current.get(id)?.file === file && change(id, { thumb }));
  }

  function restore(id: string) {
    running.current.get(id)?.stop.abort();
    running.current.delete(id);
    setItems((all) =>
      all.map((item) => (item.id === id && item.before ? { ...item.before, partId: item.partId } : item)),
    );
  }

  function remove(id: string) {
    running.current.get(id)?.stop.abort();
    running.current.delete(id);
    setItems((all) => all.filter((item) => item.id !== id));
  }

  const move = (id: string, by: -1 | 1) => setItems((all) => moveWithinPart(all, id, by));

  function hand(from: string, to: string) {
    setItems((all) => all.map((item) => (item.partId === from ? { ...item, partId: to } : item)));
  }

  return { items, add, retry, remove, move, replace, restore, setCover, moveToPart: hand };
}

/** A file that is in storage, with its cover. */
export function storedUpload({ cover, ...file }: Attachment): Upload {
  return { ...file, id: file.path, share: 1, ...(cover && { cover: { ...cover, share: 1 } }) };
}

/** What is in storage of a file; undefined while it is on its way. */
export function attachmentOf({ path, name, kind, thumb, partId, cover }: Upload): Attachment | undefined {
  const stored = cover?.path ? { path: cover.path, name: cover.name, thumb: cover.thumb } : undefined;
  return path ? { path, name, kind, thumb, partId, ...(stored && { cover: stored }) } : undefined;
}

/** Files with one of them in its neighbour's place; a file of another part is no neighbour. */
export function moveWithinPart<Item extends { id: string; partId?: string }>(
  all: Item[],
  id: string,
  by: -1 | 1,
): Item[] {
  const item = all.find((one) => one.id === id);
  const part = all.filter(({ partId }) => partId === item?.partId);
  const other = item && part[part.indexOf(item) + by];
  if (!item || !other) return all;
  return all.map((one) => (one === item ? other : one === other ? item : one));
}

/** Covers of videos: each is uploaded as any file, and stands with the video that it is for. */
function useCovers(setItems: Dispatch<SetStateAction<Upload[]>>) {
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
