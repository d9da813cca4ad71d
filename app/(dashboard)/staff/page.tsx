import type { Metadata } from "next";
import { SearchForm } from "@/components/console/forms";
import { type Query, textIn } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { staffOnly } from "@/components/session/signed-in";
import { StaffFrame } from "@/components/staff/frame";
import { FoundList, LatestEntries, PostsToLookAt } from "@/components/staff/lists";
import { NetworkTable, OperatorNotices, VersionNotices } from "@/components/staff/version-notices";
import { staffWords } from "@/components/staff/words";
import { findRequest } from "@/lib/api";
import { listClosedNetworks, readOldestDue } from "@/lib/schedules";
import { auditView, listPostsToLookAt, searchAsStaff, searchAudit } from "@/lib/staff";

export const metadata: Metadata = { title: staffWords.pages.staff };

/** How many entries of the audit log the page shows. */
const LATEST = 7;
/** How many posts with an unknown outcome it shows. */
const TO_LOOK_AT = 20;

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
      {!asked && <Overview />}
    </StaffFrame>
  );
}

/** What staff see before they search. */
async function Overview() {
  const [closed, waits, posts, { items }] = await Promise.all([
    listClosedNetworks(),
    readOldestDue(),
    listPostsToLookAt(TO_LOOK_AT),
    searchAudit({ limit: LATEST }),
  ]);
  return (
    <div className="grid items-start gap-8 wide:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-8">
        <NetworkTable closed={closed} waits={waits} />
        <PostsToLookAt posts={posts} limit={TO_LOOK_AT} />
      </div>
      <LatestEntries lines={items} />
    </div>
  );
}
