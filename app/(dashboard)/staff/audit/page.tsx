import type { Metadata } from "next";
import { FIELD, Labelled } from "@/components/developers/fields";
import { numberIn, type Query, textIn, withQuery } from "@/components/developers/query";
import { staffOnly } from "@/components/session/signed-in";
import { StaffFrame } from "@/components/staff/frame";
import { AuditList } from "@/components/staff/lists";
import { staffWords } from "@/components/staff/words";
import { Button, buttonClass } from "@/components/ui/button";
import { auditActions, searchAudit } from "@/lib/staff";

export const metadata: Metadata = { title: staffWords.pages.audit };

const LIMIT = 50;
const NAMES = ["actor", "subject", "action", "from", "to"] as const;

/** The audit log: changes to credentials, connections and users, and what staff looked at. */
export default async function AuditPage({ searchParams }: { searchParams: Promise<Query> }) {
  await staffOnly("/staff/audit");
  const query = await searchParams;
  const asked = Object.fromEntries(NAMES.map((name) => [name, textIn(query, name, 300).trim()]));
  const { items, next } = await searchAudit({ ...asked, before: numberIn(query, "before"), limit: LIMIT });
  return (
    <StaffFrame title={staffWords.pages.audit} here="/staff/audit" lead={staffWords.pages.auditLead}>
      <search>
        <form className="grid gap-4 sm:grid-cols-2">
          <Labelled label={staffWords.pages.actor} hint={staffWords.pages.actorHint}>
            <input name="actor" defaultValue={asked.actor} autoComplete="off" autoCapitalize="none" className={FIELD} />
          </Labelled>
          <Labelled label={staffWords.pages.subject} hint={staffWords.pages.subjectHint}>
            <input name="subject" defaultValue={asked.subject} autoComplete="off" className={FIELD} />
          </Labelled>
          <Labelled label={staffWords.pages.action}>
            <select name="action" defaultValue={asked.action} className={FIELD}>
              <option value="">{staffWords.pages.anything}</option>
              {auditActions.map((action) => (
                <option key={action} value={action}>
                  {staffWords.auditLog.actions[action]}
                </option>
              ))}
            </select>
          </Labelled>
          <div className="grid grid-cols-2 gap-4">
            <Labelled label={staffWords.pages.from}>
              <input type="date" name="from" defaultValue={asked.from} className={FIELD} />
            </Labelled>
            <Labelled label={staffWords.pages.to}>
              <input type="date" name="to" defaultValue={asked.to} className={FIELD} />
            </Labelled>
          </div>
          <Button type="submit" look="quiet" className="justify-self-start">
            {staffWords.pages.search}
          </Button>
        </form>
      </search>
      <AuditList lines={items} />
      {next && (
        <a href={withQuery({ ...asked, before: next })} className={buttonClass("quiet", "justify-self-start")}>
          {staffWords.pages.older}
        </a>
      )}
    </StaffFrame>
  );
}
