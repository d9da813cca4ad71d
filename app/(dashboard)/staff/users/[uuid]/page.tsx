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
import { listRequests } from "@/lib/api";
import { NotFound } from "@/lib/errors";
import { networkOf } from "@/lib/networks";
import { lookAtUser, type SeenUser } from "@/lib/staff";

export const metadata: Metadata = { title: "User" };

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
    <StaffFrame
      title={seen.name}
      lead={seen.partner ? `An end-user of ${seen.partner.name}.` : "Somebody who signs in."}
    >
      <Facts
        facts={{
          "E-mail": seen.email && `${seen.email}${seen.partner || seen.emailConfirmed ? "" : " (not confirmed)"}`,
          Id: <code className="break-all">{seen.id}</code>,
          "The partner’s own id": seen.externalUserId,
          Role: seen.role === "staff" ? "Staff" : undefined,
          Since: utc(seen.createdAt),
          Suspended: seen.suspendedAt && utc(seen.suspendedAt),
          "Being deleted": seen.deletingAt && `since ${utc(seen.deletingAt)}`,
        }}
      />
      <Section title="Accounts">
        <Accounts seen={seen} />
      </Section>
      <Section title="Schedules">
        <Schedules seen={seen} />
      </Section>
      <Section title="Requests">
        <RequestList requests={requests} empty="None with a token in the last seven days." />
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

function Accounts({ seen }: { seen: SeenUser }) {
  const rows = seen.accounts.map((account) => ({
    key: String(account.id),
    cells: [
      account.username || account.displayName,
      networkOf(account.platform).name,
      String(account.id),
      account.state === "ACTIVE"
        ? "Connected"
        : `To be connected again: ${account.stateReason ?? "the network asks for it"}`,
    ],
  }));
  return (
    <Table caption="Accounts" head={["Account", "Network", "Id", "State"]} rows={rows} empty="None is connected." />
  );
}

function Schedules({ seen: { schedules, next } }: { seen: SeenUser }) {
  const rows = schedules.map(({ id, status, scheduledTime, publications }) => ({
    key: String(id),
    cells: [
      <a key="id" href={`/staff/schedules/${id}`} className="text-accent underline">
        {id}
      </a>,
      scheduleWord(status),
      scheduledTime ? utc(scheduledTime) : "no time yet",
      (publications[0]?.posts[0]?.content ?? "").slice(0, 60),
    ],
  }));
  return (
    <>
      <Table caption="Schedules" head={["Schedule", "State", "When", "Begins"]} rows={rows} empty="None." />
      {next && (
        <a href={withQuery({ before: next })} className={buttonClass("quiet", "justify-self-start")}>
          Show older ones
        </a>
      )}
    </>
  );
}
