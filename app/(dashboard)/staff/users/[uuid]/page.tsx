import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Table, utc } from "@/components/console/table";
import { FIELD, Labelled } from "@/components/developers/fields";
import { numberIn, type Query, textIn } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { NetworkBadge } from "@/components/networks/badge";
import { staffOnly } from "@/components/session/signed-in";
import { StaffFrame } from "@/components/staff/frame";
import { DayFields, FactList, FilterButtons, Pages, scheduleWord, statusWithIcon } from "@/components/staff/lists";
import { staffWords } from "@/components/staff/words";
import { listRequests } from "@/lib/api";
import { NotFound } from "@/lib/errors";
import { allNetworks, networkOf } from "@/lib/networks";
import type { Platform } from "@/lib/platforms";
import { type StaffUserView, scheduleStatuses, viewUser } from "@/lib/staff";

export const metadata: Metadata = { title: staffWords.pages.user };

type Props = { params: Promise<{ uuid: string }>; searchParams: Promise<Query> };

const FILTERS = ["status", "platform", "text", "from", "to"] as const;

/** A user with the information that support needs. */
export default async function StaffUserPage({ params, searchParams }: Props) {
  const { uuid } = await params;
  const staff = await staffOnly(`/staff/users/${uuid}`);
  const query = await searchParams;
  const filter = Object.fromEntries(FILTERS.map((name) => [name, textIn(query, name, 200).trim()]));
  const before = numberIn(query, "before");
  const seen = await viewUser(staff, uuid, { ...filter, before }).catch((error: unknown) => {
    if (error instanceof NotFound) notFound();
    throw error;
  });
  const { items: requests } = await listRequests({ ownerId: seen.id }, { limit: 20 });
  return (
    <StaffFrame
      title={seen.name}
      lead={seen.partner ? staffWords.pages.endUserOf(seen.partner.name) : staffWords.pages.signsIn}
    >
      <FactList
        facts={{
          [staffWords.pages.email]:
            seen.email && (seen.partner || seen.emailConfirmed ? seen.email : staffWords.pages.unconfirmed(seen.email)),
          [staffWords.pages.id]: <code className="break-all">{seen.id}</code>,
          [staffWords.pages.partnersId]: seen.externalUserId,
          [staffWords.pages.role]: seen.role === "staff" ? staffWords.pages.roleStaff : undefined,
          [staffWords.pages.since]: utc(seen.createdAt),
          [staffWords.pages.suspended]: seen.suspendedAt && utc(seen.suspendedAt),
          [staffWords.pages.beingDeleted]: seen.deletingAt && staffWords.pages.deletedSince(utc(seen.deletingAt)),
        }}
      />
      <Section title={staffWords.pages.accounts}>
        <Accounts seen={seen} />
      </Section>
      <Section title={staffWords.pages.schedules}>
        <Filters uuid={uuid} filter={filter} />
        <Schedules seen={seen} isFiltered={isOn(filter)} />
        <Pages query={filter} before={before} next={seen.next} />
      </Section>
      <Section title={staffWords.pages.requests}>
        <RequestList requests={requests} empty={staffWords.pages.noRequests} />
      </Section>
    </StaffFrame>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-3">
      <h2 className="font-semibold text-lg">{title}</h2>
      {children}
    </section>
  );
}

function stateOf({ state, stateReason }: StaffUserView["accounts"][number]): string {
  if (state === "ACTIVE") return staffWords.pages.connected;
  return stateReason ? staffWords.pages.toReconnectWhy(stateReason) : staffWords.pages.toReconnect;
}

function Accounts({ seen }: { seen: StaffUserView }) {
  const rows = seen.accounts.map((account) => ({
    key: String(account.id),
    cells: [
      account.username || account.displayName,
      networkOf(account.platform).name,
      String(account.id),
      stateOf(account),
    ],
  }));
  return (
    <Table
      caption={staffWords.pages.accounts}
      head={staffWords.pages.accountsHead}
      rows={rows}
      empty={staffWords.pages.noAccounts}
    />
  );
}

type Filter = { [name: string]: string };

const isOn = (filter: Filter) => Object.values(filter).some(Boolean);

function Filters({ uuid, filter }: { uuid: string; filter: Filter }) {
  return (
    <search>
      <form className="grid gap-4 sm:grid-cols-2 lg:grid-cols-5">
        <Labelled label={staffWords.pages.state}>
          <select name="status" defaultValue={filter.status} className={FIELD}>
            <option value="">{staffWords.pages.everyState}</option>
            {scheduleStatuses.map((status) => (
              <option key={status} value={status}>
                {scheduleWord(status)}
              </option>
            ))}
          </select>
        </Labelled>
        <Labelled label={staffWords.pages.network}>
          <select name="platform" defaultValue={filter.platform} className={FIELD}>
            <option value="">{staffWords.pages.everyNetwork}</option>
            {allNetworks().map(({ platform, name }) => (
              <option key={platform} value={platform}>
                {name}
              </option>
            ))}
          </select>
        </Labelled>
        <Labelled label={staffWords.pages.text}>
          <input name="text" defaultValue={filter.text} autoComplete="off" className={FIELD} />
        </Labelled>
        <DayFields from={filter.from} to={filter.to} />
        <FilterButtons clear={isOn(filter) && `/staff/users/${uuid}`} />
      </form>
    </search>
  );
}

function Schedules({ seen: { schedules }, isFiltered }: { seen: StaffUserView; isFiltered: boolean }) {
  const rows = schedules.map(({ id, status, scheduledTime, publications }) => ({
    key: String(id),
    cells: [
      <a key="id" href={`/staff/schedules/${id}`} className="text-accent underline">
        {id}
      </a>,
      statusWithIcon(status),
      <Networks key="networks" platforms={publications.flatMap(({ platform }) => platform ?? [])} />,
      scheduledTime ? utc(scheduledTime) : staffWords.pages.noTime,
      <span key="text" className="block max-w-md truncate">
        {(publications[0]?.posts[0]?.content ?? "").slice(0, 120)}
      </span>,
    ],
  }));
  return (
    <Table
      caption={staffWords.pages.schedules}
      head={staffWords.pages.schedulesHead}
      rows={rows}
      empty={isFiltered ? staffWords.pages.noSchedulesLike : staffWords.pages.noSchedules}
    />
  );
}

/** The mark of each network, once. */
function Networks({ platforms }: { platforms: Platform[] }) {
  return (
    <span className="flex gap-1">
      {[...new Set(platforms)].map((platform) => (
        <span key={platform}>
          <NetworkBadge platform={platform} className="size-6" />
          <span className="sr-only">{networkOf(platform).name} </span>
        </span>
      ))}
    </span>
  );
}
