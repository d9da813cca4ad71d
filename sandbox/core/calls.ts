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
  /** Lists the call with status 0 until `finish` records and stores the status of the response. */
  start(entry: Omit<CallEntry, "status">): { entry: CallEntry; finish(status: number): void };
  list(network?: string): CallEntry[];
  clear(): void;
};

/** Records every request that reached a network, in order of arrival. Status 0 means no complete response was sent. */
export function openCalls(journal: Journal): Calls {
  const stored = journal.collection<CallEntry>("calls");
  let entries = stored.values().sort((a, b) => a.time.localeCompare(b.time));
  let next = stored.entries().reduce((highest, [key]) => Math.max(highest, Number(key)), 0) + 1;

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
          if (list === entries) stored.put(key, entry);
        },
      };
    },
    list: (network) => entries.filter((entry) => network === undefined || entry.network === network),
    clear() {
      entries = [];
      stored.clear();
    },
  };
}
