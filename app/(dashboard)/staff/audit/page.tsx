import type { Metadata } from "next";
import { FIELD, Labelled } from "@/components/developers/fields";
import { numberIn, type Query, textIn, withQuery } from "@/components/developers/query";
import { AuditList } from "@/components/staff/audit-list";
import { StaffFrame } from "@/components/staff/frame";
import { staffOnly } from "@/components/staff/guard";
import { actionWords } from "@/components/staff/words";
import { Button, buttonClass } from "@/components/ui/button";
import { auditActions, searchAudit } from "@/lib/staff";

export const metadata: Metadata = { title: "Audit log" };

const LIMIT = 50;
const NAMES = ["actor", "subject", "action", "from", "to"] as const;

/** Who did what to credentials, connections and users, and who of the staff looked at what. */
export default async function AuditPage({ searchParams }: { searchParams: Promise<Query> }) {
  await staffOnly("/staff/audit");
  const query = await searchParams;
  const asked = Object.fromEntries(NAMES.map((name) => [name, textIn(query, name, 300).trim()]));
  const { items, next } = await searchAudit({ ...asked, before: numberIn(query, "before"), limit: LIMIT });
  return (
    <StaffFrame title="Audit log" here="/staff/audit" lead="Nobody can change or remove a line of it.">
      <search>
        <form className="grid gap-4 sm:grid-cols-2">
          <Labelled label="Who" hint="An e-mail address, an id, or “operator”.">
            <input name="actor" defaultValue={asked.actor} autoComplete="off" autoCapitalize="none" className={FIELD} />
          </Labelled>
          <Labelled label="To what" hint="The id of a user, account, client, token or schedule.">
            <input name="subject" defaultValue={asked.subject} autoComplete="off" className={FIELD} />
          </Labelled>
          <Labelled label="What">
            <select name="action" defaultValue={asked.action} className={FIELD}>
              <option value="">Anything</option>
              {auditActions.map((action) => (
                <option key={action} value={action}>
                  {actionWords[action]}
                </option>
              ))}
            </select>
          </Labelled>
          <div className="grid grid-cols-2 gap-4">
            <Labelled label="From (UTC)">
              <input type="date" name="from" defaultValue={asked.from} className={FIELD} />
            </Labelled>
            <Labelled label="To (UTC)">
              <input type="date" name="to" defaultValue={asked.to} className={FIELD} />
            </Labelled>
          </div>
          <Button type="submit" look="quiet" className="justify-self-start">
            Search
          </Button>
        </form>
      </search>
      <AuditList lines={items} />
      {next && (
        <a href={withQuery({ ...asked, before: next })} className={buttonClass("quiet", "justify-self-start")}>
          Show older ones
        </a>
      )}
    </StaffFrame>
  );
}
