import fs from "node:fs";
import path from "node:path";

/** `[collection, key, value]` puts, `[collection, key]` deletes, `[collection]` clears. */
type Operation = [collection: string, key?: string, value?: unknown];

export type Collection<T> = {
  get(key: string): T | undefined;
  put(key: string, value: T): T;
  delete(key: string): void;
  clear(): void;
  values(): T[];
  entries(): [string, T][];
};

export type Journal = {
  /** The named map, loaded from the file. Values are plain JSON; call `put` again after changing one. */
  collection<T>(name: string): Collection<T>;
  /** Writes all changes of `work` as one line, so a crash keeps all of them or none. */
  transaction<R>(work: () => R): R;
  close(): void;
};

/**
 * Keeps state in an append-only file of JSON lines. Each line is handed to the operating system before the call returns,
 * so a killed process loses nothing that it acknowledged, and writes cost the same however large the file is.
 * On start the file is replayed, and rewritten if most of its lines are out of date.
 */
export function openJournal(file: string): Journal {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const state = new Map<string, Map<string, unknown>>();
  const lines = replay(file, state);
  if (lines > 2 * liveEntries(state) + 1000) compact(file, state);
  const handle = fs.openSync(file, "a");
  let batch: Operation[] | undefined;
  let isOpen = true;

  function append(operations: Operation[]): void {
    if (isOpen && operations.length > 0) fs.writeSync(handle, `${JSON.stringify(operations)}\n`);
  }
  function write(operation: Operation): void {
    if (batch) batch.push(operation);
    else append([operation]);
  }

  return {
    collection<T>(name: string) {
      return collectionOf<T>(mapOf<T>(state, name), name, write);
    },
    transaction(work) {
      if (batch) return work();
      batch = [];
      try {
        return work();
      } finally {
        const operations = batch;
        batch = undefined;
        append(operations);
      }
    },
    close() {
      isOpen = false;
      fs.closeSync(handle);
    },
  };
}

function collectionOf<T>(map: Map<string, T>, name: string, write: (operation: Operation) => void): Collection<T> {
  return {
    get: (key) => map.get(key),
    put(key, value) {
      write([name, key, value]);
      map.set(key, value);
      return value;
    },
    delete(key) {
      if (map.delete(key)) write([name, key]);
    },
    clear() {
      if (map.size > 0) write([name]);
      map.clear();
    },
    values: () => [...map.values()],
    entries: () => [...map.entries()],
  };
}

/** The only cast: values in the file are trusted to have the type with which this code wrote them. */
function mapOf<T>(state: Map<string, Map<string, unknown>>, name: string): Map<string, T> {
  const map = state.get(name) ?? new Map<string, unknown>();
  state.set(name, map);
  return map as Map<string, T>;
}

function replay(file: string, state: Map<string, Map<string, unknown>>): number {
  if (!fs.existsSync(file)) return 0;
  const content = fs.readFileSync(file);
  const end = content.lastIndexOf(0x0a) + 1;
  // An incomplete last line was never acknowledged. Remove it so that the next line starts cleanly.
  if (end < content.length) fs.truncateSync(file, end);
  const lines = content.subarray(0, end).toString("utf8").split("\n").filter(Boolean);
  for (const line of lines) for (const operation of JSON.parse(line) as Operation[]) apply(state, operation);
  return lines.length;
}

function apply(state: Map<string, Map<string, unknown>>, operation: Operation): void {
  const [name, key, value] = operation;
  const map = mapOf(state, name);
  if (key === undefined) map.clear();
  else if (operation.length === 2) map.delete(key);
  else map.set(key, value);
}

function liveEntries(state: Map<string, Map<string, unknown>>): number {
  return [...state.values()].reduce((sum, map) => sum + map.size, 0);
}

function compact(file: string, state: Map<string, Map<string, unknown>>): void {
  const lines = [...state].flatMap(([name, map]) =>
    [...map].map(([key, value]) => `${JSON.stringify([[name, key, value]])}\n`),
  );
  fs.writeFileSync(`${file}.new`, lines.join(""));
  fs.renameSync(`${file}.new`, file);
}
