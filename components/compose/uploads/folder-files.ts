import { uploadWords } from "./words";

/** What is read of `DataTransferItem.webkitGetAsEntry()` (File and Directory Entries API, which browsers have under no other name). */
export type Entry = FileEntry | FolderEntry;
type FileEntry = {
  isDirectory: false;
  name: string;
  file(found: (file: File) => void, failed: (error: Error) => void): void;
};
type FolderEntry = { isDirectory: true; name: string; createReader(): Reader };
/** Some of them at a time (Chromium: a hundred), and none once all were read. */
type Reader = { readEntries(found: (entries: Entry[]) => void, failed: (error: Error) => void): void };

/** What was let go, and in words what of a folder was left out. */
export type FolderFiles = { files: File[]; leftOut: string[] };

/** So many files of folders are taken at once: each is some calls of the API, of which a minute has six hundred. */
export const MAX_FILES = 100;
/** A folder may be anything, a whole disk too: so much is looked through in search of them. */
const MAX_ENTRIES = 5_000;

/**
 * The folders among what is let go, and the other files. To be asked while it is let go: a moment later the browser tells no more.
 */
export function splitDrop({ items, files }: DataTransfer): { folders: FolderEntry[]; files: File[] } {
  const found = [...items].filter(({ kind }) => kind === "file").map((item) => ({ item, entry: entryOf(item) }));
  const folders = found.flatMap(({ entry }) => (entry?.isDirectory ? [entry] : []));
  if (folders.length === 0) return { folders, files: [...files] };
  const others = found.flatMap(({ item, entry }) => (entry?.isDirectory ? [] : (item.getAsFile() ?? [])));
  return { folders, files: others };
}

/** The browser's own type says less: what is a directory has a reader, what is none a file. */
function entryOf(item: DataTransferItem): Entry | null {
  return (item.webkitGetAsEntry?.() ?? null) as Entry | null;
}

/** The pictures and videos in folders and in the folders within them, by name; what else is in them is counted. */
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

/** What systems put beside people's files: `.DS_Store`, `Thumbs.db`. */
function isUserFile({ name }: Entry): boolean {
  return !/^\.|^(thumbs\.db|desktop\.ini)$/i.test(name);
}

const byName = (a: Entry, b: Entry) => a.name.localeCompare(b.name, undefined, { numeric: true });
