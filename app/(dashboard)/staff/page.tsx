import type { Metadata } from "next";
import { SearchForm } from "@/components/console/forms";
import { type Query, textIn } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { staffOnly } from "@/components/session/signed-in";
import { StaffFrame } from "@/components/staff/frame";
import { FoundList, LatestEntries } from "@/components/staff/lists";
import { OperatorNotices, VersionNotices, VersionTable } from "@/components/staff/version-notices";
import { staffWords } from "@/components/staff/words";
import { findRequest } from "@/lib/api";
import { auditView, searchAsStaff, searchAudit } from "@/lib/staff";

export const metadata: Metadata = { title: staffWords.pages.staff };

/** How many entries of the audit log the page shows. */
const LATEST = 7;

/** Searches users, accounts and schedules for support. */
export default async function StaffPage({ searchParams }: { searchParams: Promise<Query> }) {
  const user = await staffOnly("/staff");
  const asked = textIn(await searchParams, "q", 2_048).trim();
  const found = asked ? await searchAsStaff(user, asked) : undefined;
  const request = asked ? await findRequest(asked) : undefined;
  const whose = request?.ownerId ?? request?.partnerId;
  if (whose) await auditView(user, { subject: whose, partnerId: request?.partnerId, details: { page: "request" } });
  return (
    <StaffFrame title={staffWords.pages.staff} here="/staff" lead={staffWords.pages.staffLead}>
      <OperatorNotices />
      <VersionNotices />
      <SearchForm label={staffWords.pages.find} name="q" value={asked} />
      {request && (
        <section aria-label={staffWords.pages.request} className="grid gap-3">
          <RequestList requests={[request]} empty="" />
          {request.ownerId && (
            <a href={`/staff/users/${request.ownerId}`} className="text-accent underline">
              {staffWords.pages.requestsUser}
            </a>
          )}
        </section>
      )}
      {found && !request && <FoundList found={found} />}
      {!asked && (
        <div className="grid items-start gap-8 wide:grid-cols-[minmax(0,1fr)_20rem]">
          <VersionTable />
          <LatestEntries lines={(await searchAudit({ limit: LATEST })).items} />
        </div>
      )}
    </StaffFrame>
  );
}
