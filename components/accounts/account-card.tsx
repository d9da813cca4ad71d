"use client";
import { useDisconnect } from "../api/queries";
import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { Button, buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { AccountFace } from "./account-face";
import { AccountHealth } from "./account-health";
import { DestinationList } from "./destination-list";
import { Disconnect } from "./disconnect";
import { handleOf } from "./names";
import { ReconnectForm } from "./reconnect-form";
import { accountWords } from "./words";

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
          <AccountHealth account={account} networkName={networkName} />
        </div>
        <div className="flex flex-wrap gap-2">
          {account.state === "RECONNECT_REQUIRED" && (
            <ReconnectForm account={account}>
              <Button type="submit" aria-label={accountWords.reconnect.reconnectOne(handleOf(account))}>
                {accountWords.reconnect.reconnect}
              </Button>
            </ReconnectForm>
          )}
          <Link
            href={`/accounts/${account.id}/queue`}
            aria-label={accountWords.queueOf(handleOf(account))}
            className={buttonClass("quiet")}
          >
            {accountWords.queue}
          </Link>
          <Disconnect account={account} networkName={networkName} disconnect={disconnect} />
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
