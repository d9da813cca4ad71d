import type { Metadata } from "next";
import { SearchForm } from "@/components/console/search-form";
import { type Query, textIn } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { FoundList } from "@/components/staff/found-list";
import { StaffFrame } from "@/components/staff/frame";
import { staffOnly } from "@/components/staff/guard";
import { VersionNotices } from "@/components/staff/version-notices";
import { VersionTable } from "@/components/staff/version-table";
import { findRequest } from "@/lib/api";
import { findThings, noteLook } from "@/lib/staff";

export const metadata: Metadata = { title: "Staff" };

/** Finds whom or what somebody asks about. */
export default async function StaffPage({ searchParams }: { searchParams: Promise<Query> }) {
  const user = await staffOnly("/staff");
  const asked = textIn(await searchParams, "q", 2_048).trim();
  const found = asked ? await findThings(user, asked) : undefined;
  const request = asked ? await findRequest(asked) : undefined;
  const whose = request?.ownerId ?? request?.partnerId;
  if (whose) await noteLook(user, { subject: whose, partnerId: request?.partnerId, details: { page: "request" } });
  const lead =
    "Find a user or a schedule, see it and read its receipt. Nothing is changed here, and every look is written down.";
  return (
    <StaffFrame title="Staff" here="/staff" lead={lead}>
      <VersionNotices />
      <SearchForm label="E-mail, id, number, request id, or a post’s address on its network" name="q" value={asked} />
      {request && (
        <section aria-label="The request" className="grid gap-3">
          <RequestList requests={[request]} empty="" />
          {request.ownerId && (
            <a href={`/staff/users/${request.ownerId}`} className="text-accent underline">
              The user for whom it was
            </a>
          )}
        </section>
      )}
      {found && !request && <FoundList found={found} />}
      {!asked && <VersionTable />}
    </StaffFrame>
  );
}
