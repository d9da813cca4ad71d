import type { Journal } from "./journal";

export type CallEntry = {
  time: string;
  network: string;
  operation: string;
  method: string;
  path: string;
  status: number;
  account?: string;
};

export type Calls = {
  /** Listed from its arrival with status 0; `finish` gives it the status that was answered and keeps it. */
  start(entry: Omit<CallEntry, "status">): { entry: CallEntry; finish(status: number): void };
  list(network?: string): CallEntry[];
  clear(): void;
};

/** Every request that reached a network, in order of arrival. Status 0: no whole answer was sent. */
export function openCalls(journal: Journal): Calls {
  const kept = journal.collection<CallEntry>("calls");
  let entries = kept.values().sort((a, b) => a.time.localeCompare(b.time));
  let next = kept.entries().reduce((highest, [key]) => Math.max(highest, Number(key)), 0) + 1;

  return {
    start(arrival) {
      const entry: CallEntry = { ...arrival, status: 0 };
      const key = String(next++);
      entries.push(entry);
      const list = entries;
      return {
        entry,
        finish(status) {
          entry.status = status;
          if (list === entries) kept.put(key, entry);
        },
      };
    },
    list: (network) => entries.filter((entry) => network === undefined || entry.network === network),
    clear() {
      entries = [];
      kept.clear();
    },
  };
}
