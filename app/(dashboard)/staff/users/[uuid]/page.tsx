import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Table, utc } from "@/components/console/table";
import { numberIn, type Query, withQuery } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { staffOnly } from "@/components/session/signed-in";
import { StaffFrame } from "@/components/staff/frame";
import { FactList, scheduleWord } from "@/components/staff/lists";
import { staffWords } from "@/components/staff/words";
import { buttonClass } from "@/components/ui/button";
import { listRequests } from "@/lib/api";
import { NotFound } from "@/lib/errors";
import { networkOf } from "@/lib/networks";
import { type StaffUserView, viewUser } from "@/lib/staff";

export const metadata: Metadata = { title: staffWords.pages.user };

type Props = { params: Promise<{ uuid: string }>; searchParams: Promise<Query> };

/** A user with the information that support needs. */
export default async function StaffUserPage({ params, searchParams }: Props) {
  const { uuid } = await params;
  const staff = await staffOnly(`/staff/users/${uuid}`);
  const seen = await viewUser(staff, uuid, numberIn(await searchParams, "before")).catch((error: unknown) => {
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
        <Schedules seen={seen} />
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

function Schedules({ seen: { schedules, next } }: { seen: StaffUserView }) {
  const rows = schedules.map(({ id, status, scheduledTime, publications }) => ({
    key: String(id),
    cells: [
      <a key="id" href={`/staff/schedules/${id}`} className="text-accent underline">
        {id}
      </a>,
      scheduleWord(status),
      scheduledTime ? utc(scheduledTime) : staffWords.pages.noTime,
      (publications[0]?.posts[0]?.content ?? "").slice(0, 60),
    ],
  }));
  return (
    <>
      <Table
        caption={staffWords.pages.schedules}
        head={staffWords.pages.schedulesHead}
        rows={rows}
        empty={staffWords.pages.noSchedules}
      />
      {next && (
        <a href={withQuery({ before: next })} className={buttonClass("quiet", "justify-self-start")}>
          {staffWords.pages.older}
        </a>
      )}
    </>
  );
}
