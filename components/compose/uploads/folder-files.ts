import { uploadWords } from "./words";

/**
 * The used part of `DataTransferItem.webkitGetAsEntry()` (File and Directory Entries API); browsers support it only
 * under this name.
 */
export type Entry = FileEntry | FolderEntry;
type FileEntry = {
  isDirectory: false;
  name: string;
  file(found: (file: File) => void, failed: (error: Error) => void): void;
};
type FolderEntry = { isDirectory: true; name: string; createReader(): Reader };
/** Returns entries in batches (Chromium: 100), and an empty batch at the end. */
type Reader = { readEntries(found: (entries: Entry[]) => void, failed: (error: Error) => void): void };

/** The files of dropped folders, and sentences about what was left out. */
export type FolderFiles = { files: File[]; leftOut: string[] };

/** Maximum of files from folders. Each needs several API calls, and the limit is 600 per minute. */
export const MAX_FILES = 100;
/** Maximum of entries to visit; a folder may be a whole disk. */
const MAX_ENTRIES = 5_000;

/**
 * Separates dropped folders from other files. Must be called during the drop event; later the browser returns
 * nothing.
 */
export function splitDrop({ items, files }: DataTransfer): { folders: FolderEntry[]; files: File[] } {
  const found = [...items].filter(({ kind }) => kind === "file").map((item) => ({ item, entry: entryOf(item) }));
  const folders = found.flatMap(({ entry }) => (entry?.isDirectory ? [entry] : []));
  if (folders.length === 0) return { folders, files: [...files] };
  const others = found.flatMap(({ item, entry }) => (entry?.isDirectory ? [] : (item.getAsFile() ?? [])));
  return { folders, files: others };
}

/** The DOM type is less precise: a directory has a reader, a file does not. */
function entryOf(item: DataTransferItem): Entry | null {
  return (item.webkitGetAsEntry?.() ?? null) as Entry | null;
}

/** Returns the pictures and videos in folders and subfolders, by name; other files are only counted. */
export async function filesInFolders(folders: FolderEntry[]): Promise<FolderFiles> {
  const all: FolderFiles = { files: [], leftOut: [] };
  for (const folder of folders) {
    const { files, others, isCut, failure } = await searchFolder(folder, MAX_FILES - all.files.length);
    all.files.push(...files);
    if (failure) all.leftOut.push(uploadWords.drop.folderUnread(folder.name, failure));
    else if (isCut) all.leftOut.push(uploadWords.drop.folderTooFull(folder.name, files.length));
    else if (files.length === 0) all.leftOut.push(uploadWords.drop.folderHoldsNone(folder.name));
    else if (others > 0) all.leftOut.push(uploadWords.drop.folderHoldsOthers(folder.name, others));
  }
  return all;
}

type Found = { files: File[]; others: number; isCut: boolean; failure?: string };

async function searchFolder(folder: FolderEntry, most: number): Promise<Found> {
  const found: Found = { files: [], others: 0, isCut: false };
  let lookedAt = 0;
  const ahead: Entry[] = [folder];
  try {
    for (let entry = ahead.shift(); entry; entry = ahead.shift()) {
      if (++lookedAt > MAX_ENTRIES) return { ...found, isCut: true };
      if (entry.isDirectory) {
        ahead.unshift(...(await entriesOf(entry)).filter(isUserFile).sort(byName));
        continue;
      }
      const file = await fileOf(entry);
      if (!/^(image|video)\//.test(file.type)) found.others++;
      else if (found.files.length === most) return { ...found, isCut: true };
      else found.files.push(file);
    }
    return found;
  } catch (error) {
    return { ...found, failure: error instanceof Error ? error.message : String(error) };
  }
}

async function entriesOf(folder: FolderEntry): Promise<Entry[]> {
  const reader = folder.createReader();
  const all: Entry[] = [];
  for (;;) {
    const some = await new Promise<Entry[]>((found, failed) => reader.readEntries(found, failed));
    if (some.length === 0 || all.length > MAX_ENTRIES) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileEntry): Promise<File> {
  return new Promise((found, failed) => entry.file(found, failed));
}

/** Excludes files such as `.DS_Store` and `Thumbs.db`. */
function isUserFile({ name }: Entry): boolean {
  return !/^\.|^(thumbs\.db|desktop\.ini)$/i.test(name);
}

const byName = (a: Entry, b: Entry) => a.name.localeCompare(b.name, undefined, { numeric: true });
