import type { ReactNode } from "react";
import { statusWord } from "../posts/status";

/** A list of names and values; undefined values are left out. */
export function FactList({ facts }: { facts: { [name: string]: ReactNode } }) {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
      {known.map(([name, value]) => (
        <div key={name} className="grid sm:contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the name of a schedule's or publication's status. */
export function scheduleWord(status: string): string {
  return statusWord(status as Parameters<typeof statusWord>[0]); // the database contains only these values
}
