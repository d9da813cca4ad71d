import type { Partner } from "@/lib/connect";
import type { LiveSecret } from "@/lib/oauth";
import { Card } from "../ui/card";
import * as words from "../words/console-secrets";
import { ActionForm } from "./action-form";
import { Table } from "./table";
import { utc } from "./when";

type Props = { partner: Partner; secrets: LiveSecret[]; isStaff: boolean };

export function Secrets({ partner, secrets, isStaff }: Props) {
  const { clientId, suspendedAt } = partner;
  const rows = secrets.map(({ id, createdAt, until }) => ({
    key: String(id),
    cells: [utc(createdAt), until ? words.goodUntil(utc(until)) : words.inUse],
  }));
  const hasOld = secrets.some(({ until }) => until);
  return (
    <>
      <dl className="grid gap-1">
        <dt className="text-muted text-sm">{words.clientId}</dt>
        <dd>
          <code className="rounded bg-sunk px-2 py-1">{clientId}</code>
        </dd>
      </dl>
      <Table caption={words.secrets} head={words.secretsHead} rows={rows} empty={words.noSecret} />
      <Card className="grid max-w-xl gap-4">
        <h2 className="font-semibold">{words.newSecret}</h2>
        <p className="text-muted text-sm">{words.newSecretHow}</p>
        <ActionForm client={clientId} action="rotate" label={words.makeSecret} look="primary" />
        {hasOld && <ActionForm client={clientId} action="end-old" label={words.endOld} look="danger" />}
      </Card>
      <Card className="grid max-w-xl gap-4">
        <h2 className="font-semibold">{suspendedAt ? words.suspended : words.brake}</h2>
        <p className="text-muted text-sm">{words.brakeHow}</p>
        {!suspendedAt && <ActionForm client={clientId} action="suspend" label={words.suspend} look="danger" />}
        {suspendedAt && isStaff && <ActionForm client={clientId} action="resume" label={words.resume} look="quiet" />}
      </Card>
    </>
  );
}
