import type { ReactNode } from "react";
import { allNetworks, networkOf } from "@/lib/networks";
import type { AuditEntry, PostToLookAt, StaffSearchResult } from "@/lib/staff";
import { Table } from "../console/table";
import { FIELD, Labelled } from "../developers/fields";
import { withQuery } from "../developers/query";
import { NetworkBadge } from "../networks/badge";
import { Status, statusWord } from "../posts/status";
import { utcToSecond } from "../time/format";
import { Button, buttonClass } from "../ui/button";
import { staffWords } from "./words";

const LINK = "text-accent underline";

/** Search results. They use plain links, because prefetching a page would be logged as a view. */
export function FoundList({ found: { users, schedules } }: { found: StaffSearchResult }) {
  if (users.length + schedules.length === 0) {
    return <p className="text-muted">{staffWords.noneFound}</p>;
  }
  const people = users.map(({ id, name, email, matchedBy }) => ({
    key: `${id} ${matchedBy}`,
    cells: [
      <a key="name" href={`/staff/users/${id}`} className={LINK}>
        {name}
      </a>,
      email ?? staffWords.noEmail,
      matchedBy,
    ],
  }));
  const posts = schedules.map(({ id, status, matchedBy }) => ({
    key: `${id} ${matchedBy}`,
    cells: [
      <a key="id" href={`/staff/schedules/${id}`} className={LINK}>
        {staffWords.schedule(id)}
      </a>,
      statusWithIcon(status),
      matchedBy,
    ],
  }));
  return (
    <>
      {people.length > 0 && (
        <Table caption={staffWords.foundUsers} head={staffWords.foundUsersHead} rows={people} empty="" />
      )}
      {posts.length > 0 && (
        <Table caption={staffWords.foundPosts} head={staffWords.foundPostsHead} rows={posts} empty="" />
      )}
    </>
  );
}

/** Entries of the audit log. */
export function AuditList({ lines }: { lines: AuditEntry[] }) {
  const rows = lines.map(({ id, at, action, actor, subject, partner, details }) => ({
    key: String(id),
    cells: [
      <span key="at" className="whitespace-nowrap">
        {utcToSecond(at)}
      </span>,
      <span key="what" className="grid max-w-xs">
        <span className="font-medium">{staffWords.auditLog.actions[action]}</span>{" "}
        <span className="text-muted">{Object.entries(details).map(detailWords).join(", ")}</span>
      </span>,
      actorName(actor),
      <span key="to" className="grid">
        <code>{affected(action, subject)}</code>{" "}
        {partner && <span className="text-muted">{staffWords.ofPartner(partner)}</span>}
      </span>,
    ],
  }));
  return <Table caption={staffWords.audit} head={staffWords.auditHead} rows={rows} empty={staffWords.noLines} />;
}

function actorName(actor: AuditEntry["actor"]): string {
  return actor === "unknown" ? staffWords.auditLog.unknown : (actor ?? staffWords.auditLog.operator);
}

function detailWords([name, value]: [string, unknown]): string {
  const network = name === "platform" && allNetworks().find(({ platform }) => platform === value);
  return `${staffWords.details[name] ?? name}: ${network ? network.name : value}`;
}

/** The subject of an audit entry, with its kind if the subject is only a number. */
function affected(action: AuditEntry["action"], subject: string): string {
  if (action.startsWith("account.")) return staffWords.account(subject);
  return action.startsWith("staff.") && /^\d+$/.test(subject) ? staffWords.post(subject) : subject;
}

/** Posts whose outcome is unknown. Their pages tell more; opening one is logged. */
export function PostsToLookAt({ posts, limit }: { posts: PostToLookAt[]; limit: number }) {
  return (
    <section aria-labelledby="posts" className="grid gap-3">
      <h2 id="posts" className="font-semibold text-lg">
        {staffWords.lookAt}
      </h2>
      {posts.length === 0 && <p className="text-muted">{staffWords.nothingToLookAt}</p>}
      {posts.length > 0 && (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface text-sm">
          {posts.map(({ id, platform, scheduledTime, isLookedUp }) => (
            <li key={`${id} ${platform}`} className="flex items-center gap-3 px-4 py-2.5">
              <NetworkBadge platform={platform} className="size-6" />
              <span className="grid min-w-0 gap-0.5">
                <a href={`/staff/schedules/${id}`} className={`justify-self-start font-medium ${LINK}`}>
                  {staffWords.schedule(id)}
                </a>
                <span className="text-muted">
                  {(isLookedUp ? staffWords.stillLooking : staffWords.noLongerLooking)(networkOf(platform).name)}
                </span>
                {scheduledTime && <span className="text-muted text-xs">{utcToSecond(scheduledTime)}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {posts.length === limit && <p className="text-muted text-sm">{staffWords.newestOnly(limit)}</p>}
    </section>
  );
}

/** The latest entries of the audit log in a narrow column, with the way to all of them. */
export function LatestEntries({ lines }: { lines: AuditEntry[] }) {
  return (
    <section aria-labelledby="latest" className="grid gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="latest" className="font-semibold text-lg">
          {staffWords.audit}
        </h2>
        <a href="/staff/audit" className={`text-sm ${LINK}`}>
          {staffWords.allEntries}
        </a>
      </div>
      <ol className="divide-y divide-line rounded-xl border border-line bg-surface text-sm">
        {lines.map(({ id, at, action, actor, subject }) => (
          <li key={id} className="grid gap-0.5 px-4 py-2.5">
            <span className="font-medium">{staffWords.auditLog.actions[action]}</span>
            <span className="wrap-anywhere">{actorName(actor)}</span>
            <code className="truncate text-muted text-xs">{affected(action, subject)}</code>
            <span className="text-muted text-xs">{utcToSecond(at)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The first and the last day of a filter, in UTC. */
export function DayFields({ from, to }: { from?: string; to?: string }) {
  return (
    <>
      <Labelled label={staffWords.pages.from}>
        <input type="date" name="from" defaultValue={from} className={FIELD} />
      </Labelled>
      <Labelled label={staffWords.pages.to}>
        <input type="date" name="to" defaultValue={to} className={FIELD} />
      </Labelled>
    </>
  );
}

/** The buttons below filters. `clear` is the address without them; false if no filter is on. */
export function FilterButtons({ clear }: { clear: string | false }) {
  return (
    <p className="flex flex-wrap gap-3 sm:col-span-full">
      <Button type="submit" look="quiet">
        {staffWords.pages.search}
      </Button>
      {clear && (
        <a href={clear} className={buttonClass("bare")}>
          {staffWords.pages.clear}
        </a>
      )}
    </p>
  );
}

type PagesProps = {
  /** The filters, which stay on. */
  query: { [name: string]: string };
  /** Where this page begins; undefined on the first one. */
  before?: number;
  /** Where the next page begins; undefined on the last one. */
  next?: number;
};

/** Links to the next page of a list and back to its first one. */
export function Pages({ query, before, next }: PagesProps) {
  if (before === undefined && next === undefined) return null;
  return (
    <p className="flex flex-wrap gap-3">
      {next !== undefined && (
        <a href={withQuery({ ...query, before: next })} className={buttonClass("quiet")}>
          {staffWords.pages.older}
        </a>
      )}
      {before !== undefined && (
        <a href={withQuery(query)} className={buttonClass("bare")}>
          {staffWords.pages.newest}
        </a>
      )}
    </p>
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
  return statusWord(stateOf(status));
}

/** The same with its icon. */
export function statusWithIcon(status: string): ReactNode {
  return <Status of={stateOf(status)} />;
}

function stateOf(status: string): Parameters<typeof statusWord>[0] {
  return status as Parameters<typeof statusWord>[0]; // the database contains only these values
}
