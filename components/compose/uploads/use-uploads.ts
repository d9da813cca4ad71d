"use client";
import { type Dispatch, type SetStateAction, useCallback, useRef, useState } from "react";
import { fileKindOf } from "@/lib/networks/limits";
import type { Attachment } from "../draft/draft";
import { sendFile } from "./send-file";
import { thumbnailOf } from "./thumbnail";

/** A file that is uploading, stored (`path`) or failed (`error`). */
export type Upload = Omit<Attachment, "path" | "cover"> &
  Sent & {
    id: string;
    cover?: Cover;
    /** The file that it replaced. */
    before?: Upload;
  };

/** A video's cover, which is uploaded like any file. */
export type Cover = Omit<NonNullable<Attachment["cover"]>, "path"> & Sent;

/** A running upload; `made` runs after it is stored. */
type Running = { file: File; stop: AbortController; made?: (path: string) => Promise<void> };

type Sent = { path?: string; share: number; error?: string };

/** The part of the thread that a file belongs to, and who alone gets it. */
export type FilePlace = Pick<Attachment, "partId" | "only">;

export type Uploads = {
  items: Upload[];
  add: (files: File[], place?: FilePlace) => void;
  /** Adds files that are stored already, except those that are there. */
  addStored: (files: Attachment[]) => void;
  retry: (id: string) => void;
  remove: (id: string) => void;
  /** Moves a file by one position within its part. */
  move: (id: string, by: -1 | 1) => void;
  /** Replaces a file. @param made extra work before the new file counts as stored */
  replace: (id: string, file: File, made: (path: string) => Promise<void>) => void;
  /** Restores the replaced file. */
  restore: (id: string) => void;
  /** Sets a video's cover; undefined lets each network choose. */
  setCover: (id: string, file: File | undefined) => void;
  /** Moves all files of one part to another. */
  moveToPart: (from: string, to: string) => void;
};

/** The uploads of a post. They start at once and keep their order while the user goes on writing. */
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

  function add(files: File[], place: FilePlace = {}) {
    for (const [index, file] of files.entries()) {
      const id = `${file.name}-${performance.now()}-${index}`; // files in folders may share a name
      const kind = fileKindOf(file.type);
      setItems((all) => [...all, { id, name: file.name, kind, share: 0, ...place }]);
      send(id, file);
      thumbnailOf(file).then((thumb) => change(id, { thumb }));
    }
  }

  function addStored(files: Attachment[]) {
    setItems((all) => [
      ...all,
      ...files.filter(({ path }) => !all.some((item) => item.path === path)).map(storedUpload),
    ]);
  }

  function retry(id: string) {
    const { file, made } = running.current.get(id) ?? {};
    if (file) send(id, file, made);
  }

  function replace(id: string, file: File, made: Running["made"]) {
    setItems((all) =>
      all.map((item) =>
        item.id === id
          ? { id, name: file.name, kind: item.kind, share: 0, partId: item.partId, only: item.only, before: item }
          : item,
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

  return { items, add, addStored, retry, remove, move, replace, restore, setCover, moveToPart: hand };
}

/** Converts a stored file with its cover to an upload. */
export function storedUpload({ cover, ...file }: Attachment): Upload {
  return { ...file, id: file.path, share: 1, ...(cover && { cover: { ...cover, share: 1 } }) };
}

/** The stored file of an upload; undefined while it is uploading. */
export function attachmentOf({ path, name, kind, thumb, partId, only, cover }: Upload): Attachment | undefined {
  const stored = cover?.path ? { path: cover.path, name: cover.name, thumb: cover.thumb } : undefined;
  return path ? { path, name, kind, thumb, partId, only, ...(stored && { cover: stored }) } : undefined;
}

/** Swaps a file with its neighbour in the same part. */
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

/** Uploads covers, which belong to their video. */
function useCovers(setItems: Dispatch<SetStateAction<Upload[]>>) {
  const running = useRef(new Map<string, AbortController>());

  /** Replaces the cover and aborts the previous upload; without a file each network chooses. */
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
