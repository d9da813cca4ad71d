"use client";
import { AlertTriangle, CheckCircle2 } from "lucide-react";
import { useDisconnect } from "../api/queries";
import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Confirm } from "../ui/confirm";
import { AccountFace } from "./account-face";
import { DestinationList } from "./destination-list";
import { handleOf } from "./names";

export function AccountCard({ account, network }: { account: Account; network: NetworkFacts | undefined }) {
  const disconnect = useDisconnect();
  const networkName = network?.name ?? account.platform;
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-4">
        <AccountFace account={account} />
        <div className="min-w-0 flex-1 basis-40">
          <h2 className="font-semibold">{account.accountDisplayName || handleOf(account)}</h2>
          <p className="text-muted text-sm">
            {networkName} · {handleOf(account)}
          </p>
          <AccountState state={account.state} />
        </div>
        <div className="flex flex-wrap gap-2">
          {account.state === "RECONNECT_REQUIRED" && (
            <form method="post" action="/oauth/connect/new">
              <Button type="submit" name="platform" value={account.platform}>
                Reconnect
              </Button>
            </form>
          )}
          <Confirm
            trigger={
              <Button look="quiet" aria-disabled={disconnect.isPending} aria-label={`Disconnect ${handleOf(account)}`}>
                {disconnect.isPending ? "Disconnecting…" : "Disconnect"}
              </Button>
            }
            title={`Disconnect ${handleOf(account)}?`}
            action="Disconnect"
            onConfirm={() => disconnect.mutate(account.id)}
          >
            Carillon forgets its permission to post there. What is still scheduled for it will not go out; what is
            published stays on {networkName}.
          </Confirm>
        </div>
      </div>
      {disconnect.isError && (
        <p role="alert" className="mt-3 text-wrong">
          {disconnect.error.message}
        </p>
      )}
      {network?.destinations && <DestinationList account={account} network={network} />}
    </Card>
  );
}

function AccountState({ state }: { state: Account["state"] }) {
  const isActive = state === "ACTIVE";
  const Icon = isActive ? CheckCircle2 : AlertTriangle;
  return (
    <p className={`mt-1 flex items-center gap-1.5 font-medium text-sm ${isActive ? "text-accent" : "text-warn"}`}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {isActive ? "Connected" : "Needs to be connected again; what is scheduled waits"}
    </p>
  );
}
