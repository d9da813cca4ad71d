import type { Partner } from "@/lib/connect";
import type { LiveSecret } from "@/lib/oauth";
import { Card } from "../ui/card";
import { ActionForm } from "./action-form";
import { Table } from "./table";
import { utc } from "./when";

type Props = { partner: Partner; secrets: LiveSecret[]; isStaff: boolean };

export function Secrets({ partner, secrets, isStaff }: Props) {
  const { clientId, suspendedAt } = partner;
  const rows = secrets.map(({ id, createdAt, until }) => ({
    key: String(id),
    cells: [utc(createdAt), until ? `until ${utc(until)}` : "in use"],
  }));
  const hasOld = secrets.some(({ until }) => until);
  return (
    <>
      <dl className="grid gap-1">
        <dt className="text-muted text-sm">Client id, also the x-api-key of connect calls</dt>
        <dd>
          <code className="rounded bg-sunk px-2 py-1">{clientId}</code>
        </dd>
      </dl>
      <Table caption="Secrets" head={["Made", "Good"]} rows={rows} empty="No secret is good: make a new one." />
      <Card className="grid max-w-xl gap-4">
        <h2 className="font-semibold">New secret</h2>
        <p className="text-muted text-sm">
          It is shown once. The one before stays good for 24 hours, so that servers can be changed one after the other.
        </p>
        <ActionForm client={clientId} action="rotate" label="Make a new secret" look="primary" />
        {hasOld && <ActionForm client={clientId} action="end-old" label="End the old secret now" look="danger" />}
      </Card>
      <Card className="grid max-w-xl gap-4">
        <h2 className="font-semibold">{suspendedAt ? "Suspended" : "Emergency brake"}</h2>
        <p className="text-muted text-sm">
          Suspending refuses every call and every connect link within a second. Scheduled posts of end-users stay. Only
          the operator can let a suspended partner in again.
        </p>
        {!suspendedAt && <ActionForm client={clientId} action="suspend" label="Suspend this partner" look="danger" />}
        {suspendedAt && isStaff && (
          <ActionForm client={clientId} action="resume" label="Let this partner in again" look="quiet" />
        )}
      </Card>
    </>
  );
}
