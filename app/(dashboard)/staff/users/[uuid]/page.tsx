import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Table } from "@/components/console/table";
import { utc } from "@/components/console/when";
import { numberIn, type Query, withQuery } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { Facts } from "@/components/staff/facts";
import { StaffFrame } from "@/components/staff/frame";
import { staffOnly } from "@/components/staff/guard";
import { scheduleWord } from "@/components/staff/words";
import { buttonClass } from "@/components/ui/button";
import * as words from "@/components/words/app-staff";
import { listRequests } from "@/lib/api";
import { NotFound } from "@/lib/errors";
import { networkOf } from "@/lib/networks";
import { lookAtUser, type SeenUser } from "@/lib/staff";

export const metadata: Metadata = { title: words.user };

type Props = { params: Promise<{ uuid: string }>; searchParams: Promise<Query> };

/** A user with everything that helps to answer a question of theirs. */
export default async function StaffUserPage({ params, searchParams }: Props) {
  const { uuid } = await params;
  const staff = await staffOnly(`/staff/users/${uuid}`);
  const seen = await lookAtUser(staff, uuid, numberIn(await searchParams, "before")).catch((error: unknown) => {
    if (error instanceof NotFound) notFound();
    throw error;
  });
  const { items: requests } = await listRequests({ ownerId: seen.id }, { limit: 20 });
  return (
    <StaffFrame title={seen.name} lead={seen.partner ? words.endUserOf(seen.partner.name) : words.signsIn}>
      <Facts
        facts={{
          [words.email]:
            seen.email && (seen.partner || seen.emailConfirmed ? seen.email : words.unconfirmed(seen.email)),
          [words.id]: <code className="break-all">{seen.id}</code>,
          [words.partnersId]: seen.externalUserId,
          [words.role]: seen.role === "staff" ? words.roleStaff : undefined,
          [words.since]: utc(seen.createdAt),
          [words.suspended]: seen.suspendedAt && utc(seen.suspendedAt),
          [words.beingDeleted]: seen.deletingAt && words.deletedSince(utc(seen.deletingAt)),
        }}
      />
      <Section title={words.accounts}>
        <Accounts seen={seen} />
      </Section>
      <Section title={words.schedules}>
        <Schedules seen={seen} />
      </Section>
      <Section title={words.requests}>
        <RequestList requests={requests} empty={words.noRequests} />
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

function stateOf({ state, stateReason }: SeenUser["accounts"][number]): string {
  if (state === "ACTIVE") return words.connected;
  return stateReason ? words.toReconnectWhy(stateReason) : words.toReconnect;
}

function Accounts({ seen }: { seen: SeenUser }) {
  const rows = seen.accounts.map((account) => ({
    key: String(account.id),
    cells: [
      account.username || account.displayName,
      networkOf(account.platform).name,
      String(account.id),
      stateOf(account),
    ],
  }));
  return <Table caption={words.accounts} head={words.accountsHead} rows={rows} empty={words.noAccounts} />;
}

function Schedules({ seen: { schedules, next } }: { seen: SeenUser }) {
  const rows = schedules.map(({ id, status, scheduledTime, publications }) => ({
    key: String(id),
    cells: [
      <a key="id" href={`/staff/schedules/${id}`} className="text-accent underline">
        {id}
      </a>,
      scheduleWord(status),
      scheduledTime ? utc(scheduledTime) : words.noTime,
      (publications[0]?.posts[0]?.content ?? "").slice(0, 60),
    ],
  }));
  return (
    <>
      <Table caption={words.schedules} head={words.schedulesHead} rows={rows} empty={words.noSchedules} />
      {next && (
        <a href={withQuery({ before: next })} className={buttonClass("quiet", "justify-self-start")}>
          {words.older}
        </a>
      )}
    </>
  );
}
