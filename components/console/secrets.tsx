import type { LiveSecret } from "@/lib/oauth";
import { canInConsole, type Partner } from "@/lib/partners";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Notice } from "../ui/notice";
import { Table, utc } from "./table";
import { consoleWords } from "./words";

type Props = { partner: Partner; secrets: LiveSecret[]; hasOwner: boolean };

export function Secrets({ partner, secrets, hasOwner }: Props) {
  const { clientId, suspendedAt } = partner;
  const rows = secrets.map(({ id, createdAt, until }) => ({
    key: String(id),
    cells: [utc(createdAt), until ? consoleWords.secrets.goodUntil(utc(until)) : consoleWords.secrets.inUse],
  }));
  const ends = secrets.find(({ until }) => until)?.until;
  const isInUse = secrets.some(({ until }) => !until);
  return (
    <>
      <dl className="grid gap-1">
        <dt className="text-muted text-sm">{consoleWords.secrets.clientId}</dt>
        <dd>
          <code className="rounded bg-sunk px-2 py-1">{clientId}</code>
        </dd>
      </dl>
      <Table
        caption={consoleWords.secrets.secrets}
        head={consoleWords.secrets.secretsHead}
        rows={rows}
        empty={consoleWords.secrets.noSecret}
      />
      <Card className="grid max-w-xl gap-4">
        <h2 className="font-semibold">{consoleWords.secrets.newSecret}</h2>
        <p className="text-muted text-sm">{consoleWords.secrets.newSecretHow}</p>
        {ends && !isInUse && <Notice tone="warn">{consoleWords.secrets.retiring(utc(ends))}</Notice>}
        {canInConsole(partner, "rotate") ? (
          <ActionForm client={clientId} action="rotate" label={consoleWords.secrets.makeSecret} look="primary" />
        ) : (
          <p className="text-muted text-sm">{consoleWords.secrets.onlyOwners}</p>
        )}
        {isInUse && canInConsole(partner, "retire") && (
          <>
            <p className="text-muted text-sm">
              {hasOwner ? consoleWords.secrets.retireHow : consoleWords.secrets.noOwner}
            </p>
            {hasOwner && (
              <ActionForm client={clientId} action="retire" label={consoleWords.secrets.retire} look="quiet" />
            )}
          </>
        )}
        {ends && isInUse && canInConsole(partner, "end-old") && (
          <ActionForm client={clientId} action="end-old" label={consoleWords.secrets.endOld} look="danger" />
        )}
      </Card>
      {canInConsole(partner, "end-all") && (
        <Card className="grid max-w-xl gap-4">
          <h2 className="font-semibold">{consoleWords.secrets.endAllTitle}</h2>
          <p className="text-muted text-sm">{consoleWords.secrets.endAllHow}</p>
          <ActionForm client={clientId} action="end-all" label={consoleWords.secrets.endAll} look="danger" />
        </Card>
      )}
      <Card className="grid max-w-xl gap-4">
        <h2 className="font-semibold">{suspendedAt ? consoleWords.secrets.suspended : consoleWords.secrets.brake}</h2>
        <p className="text-muted text-sm">{consoleWords.secrets.brakeHow}</p>
        {!suspendedAt && canInConsole(partner, "suspend") && (
          <ActionForm client={clientId} action="suspend" label={consoleWords.secrets.suspend} look="danger" />
        )}
        {suspendedAt && canInConsole(partner, "resume") && (
          <ActionForm client={clientId} action="resume" label={consoleWords.secrets.resume} look="quiet" />
        )}
      </Card>
    </>
  );
}

type ActionProps = { client: string; action: string; label: string; look: "primary" | "quiet" | "danger" };

/** A form with one button that runs an action on the partner. */
function ActionForm({ client, action, label, look }: ActionProps) {
  return (
    <form method="post" action={`/console/${client}/do/${action}`}>
      <Button type="submit" look={look}>
        {label}
      </Button>
    </form>
  );
}
