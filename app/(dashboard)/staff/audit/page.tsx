import type { Metadata } from "next";
import { FIELD, Labelled } from "@/components/developers/fields";
import { numberIn, type Query, textIn } from "@/components/developers/query";
import { staffOnly } from "@/components/session/signed-in";
import { StaffFrame } from "@/components/staff/frame";
import { AuditList, DayFields, FilterButtons, Pages } from "@/components/staff/lists";
import { staffWords } from "@/components/staff/words";
import { auditActions, searchAudit } from "@/lib/staff";

export const metadata: Metadata = { title: staffWords.pages.audit };

const LIMIT = 50;
const NAMES = ["actor", "subject", "action", "from", "to"] as const;

/** The audit log: changes to credentials, connections and users, and what staff looked at. */
export default async function AuditPage({ searchParams }: { searchParams: Promise<Query> }) {
  await staffOnly("/staff/audit");
  const query = await searchParams;
  const asked = Object.fromEntries(NAMES.map((name) => [name, textIn(query, name, 300).trim()]));
  const before = numberIn(query, "before");
  const { items, next } = await searchAudit({ ...asked, before, limit: LIMIT });
  return (
    <StaffFrame title={staffWords.pages.audit} here="/staff/audit" lead={staffWords.pages.auditLead}>
      <search>
        <form className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-5">
          <Labelled label={staffWords.pages.actor} hint={staffWords.pages.actorHint}>
            <input name="actor" defaultValue={asked.actor} autoComplete="off" autoCapitalize="none" className={FIELD} />
          </Labelled>
          <Labelled label={staffWords.pages.subject} hint={staffWords.pages.subjectHint}>
            <input name="subject" defaultValue={asked.subject} autoComplete="off" className={FIELD} />
          </Labelled>
          <Labelled label={staffWords.pages.action}>
            <select name="action" defaultValue={asked.action} className={FIELD}>
              <option value="">{staffWords.pages.everyAction}</option>
              {auditActions.map((action) => (
                <option key={action} value={action}>
                  {staffWords.auditLog.actions[action]}
                </option>
              ))}
            </select>
          </Labelled>
          <DayFields from={asked.from} to={asked.to} />
          <FilterButtons clear={Object.values(asked).some(Boolean) && "/staff/audit"} />
        </form>
      </search>
      <AuditList lines={items} />
      <Pages query={asked} before={before} next={next} />
    </StaffFrame>
  );
}
