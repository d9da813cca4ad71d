import type { ReactNode } from "react";
import { statusWord } from "../posts/status";

/** Names and values beside each other; what is undefined is left out. */
export function Facts({ facts }: { facts: { [name: string]: ReactNode } }) {
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

/** The word for a schedule's or a publication's state. */
export function scheduleWord(status: string): string {
  return statusWord(status as Parameters<typeof statusWord>[0]); // the database holds no other
}
