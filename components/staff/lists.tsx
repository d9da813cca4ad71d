import type { ReactNode } from "react";
import type { AuditEntry, StaffSearchResult } from "@/lib/staff";
import { statusWord } from "../posts/status";
import { utcToSecond } from "../time/format";
import { Card } from "../ui/card";
import { Sentence } from "../ui/sentence";
import { staffWords } from "./words";

/** Search results. They use plain links, because prefetching a page would be logged as a view. */
export function FoundList({ found: { users, schedules } }: { found: StaffSearchResult }) {
  if (users.length + schedules.length === 0) {
    return <p className="text-muted">{staffWords.noneFound}</p>;
  }
  return (
    <ul className="grid gap-3">
      {users.map(({ id, name, email, matchedBy: how }) => (
        <li key={`${id} ${how}`}>
          <Card>
            <a href={`/staff/users/${id}`} className="font-medium text-accent underline">
              {name}
            </a>
            <p className="text-muted text-sm">
              {email ? staffWords.foundUserAt(email, how) : staffWords.foundUser(how)}
            </p>
          </Card>
        </li>
      ))}
      {schedules.map(({ id, status, matchedBy: how }) => (
        <li key={`${id} ${how}`}>
          <Card>
            <a href={`/staff/schedules/${id}`} className="font-medium text-accent underline">
              {staffWords.schedule(id)}
            </a>
            <p className="text-muted text-sm">{staffWords.foundSchedule(scheduleWord(status), how)}</p>
          </Card>
        </li>
      ))}
    </ul>
  );
}

/** Entries of the audit log. */
export function AuditList({ lines }: { lines: AuditEntry[] }) {
  if (lines.length === 0) return <p className="text-muted">{staffWords.noLines}</p>;
  return (
    <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
      {lines.map(({ id, at, action, actor, subject, partner, details }) => (
        <li key={id} className="grid gap-1 px-4 py-3 text-sm">
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium">{staffWords.auditLog.actions[action]}</span>
            <span className="text-muted">{utcToSecond(at)}</span>
          </p>
          <p className="text-muted">
            <Sentence
              text={partner ? staffWords.doneToPartners : staffWords.doneTo}
              parts={{
                actor: <span className="text-ink">{actor ?? staffWords.auditLog.operator}</span>,
                subject: <code className="break-all text-ink">{subject}</code>,
                partner,
              }}
            />
          </p>
          {Object.keys(details).length > 0 && (
            <p className="text-muted">
              {Object.entries(details)
                .map(([name, value]) => `${staffWords.details[name] ?? name}: ${value}`)
                .join(", ")}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

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
