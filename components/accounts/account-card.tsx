"use client";
import { AlertTriangle, CheckCircle2, Clock } from "lucide-react";
import { useState } from "react";
import { splitReconnectMessage } from "@/lib/errors";
import { useChats, useDisconnect, usePlanned } from "../api/queries";
import type { ApiAccount } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { Button, buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { Confirm } from "../ui/confirm";
import { Link } from "../ui/link";
import { AccountFace } from "./account-face";
import { handleOf, instantOf } from "./names";
import { ReconnectForm } from "./reconnect-form";
import { accountWords } from "./words";

type Props = { account: ApiAccount; networkName: string };

const SOON_MS = 7 * 86_400_000;

/** Shows the account's state, since when, and when its permission ends if only its owner can renew it. */
function AccountHealth({ account, networkName }: Props) {
  const { state, stateTime, stateReason, permissionEndsTime } = account;
  if (state !== "ACTIVE") {
    const since = instantOf(stateTime).words;
    return (
      <div className="mt-1 text-sm text-warn">
        <p className="flex items-center gap-1.5 font-medium">
          <AlertTriangle aria-hidden className="size-4 shrink-0" />
          {accountWords.needsYou}
        </p>
        <p className="mt-0.5 text-muted">
          {stateReason
            ? accountWords.sinceBecause(splitReconnectMessage(stateReason).reason, since)
            : accountWords.since(since)}
        </p>
      </div>
    );
  }
  const end = permissionEndsTime ? instantOf(permissionEndsTime) : undefined;
  const isSoon = end !== undefined && end.ms - Date.now() < SOON_MS;
  return (
    <div className="mt-1 text-sm">
      <p className="flex items-center gap-1.5 font-medium text-accent">
        <CheckCircle2 aria-hidden className="size-4 shrink-0" />
        {accountWords.connected}
      </p>
      {end && (
        <p className={`mt-0.5 flex items-center gap-1.5 ${isSoon ? "text-warn" : "text-muted"}`}>
          <Clock aria-hidden className="size-4 shrink-0" />
          {accountWords.permissionEnds(networkName, end.words)}
        </p>
      )}
    </div>
  );
}

export function AccountCard({ account, network }: { account: ApiAccount; network: NetworkFacts | undefined }) {
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

/** Lists the channels, Pages or boards of an account, with a link to add another. */
function DestinationList({ account, network }: { account: ApiAccount; network: NetworkFacts }) {
  const chats = useChats(account);
  if (network.destinations?.own && !chats.data?.length) return null;
  return (
    <div className="mt-4 border-line border-t pt-4 text-sm">
      <h3 className="font-semibold">{accountWords.whereTo}</h3>
      {chats.isPending && <p className="text-muted">{accountWords.looking}</p>}
      {chats.isError && <p className="text-wrong">{accountWords.couldNotRead(chats.error.message)}</p>}
      {chats.data?.length === 0 && (
        <p className="text-muted">{network.isBot ? accountWords.nowhere : accountWords.nowhereOn(network.name)}</p>
      )}
      <ul className="mt-1 grid gap-1">
        {chats.data?.map(({ id, title, type }) => (
          <li key={id}>
            {title} <span className="text-muted">({type.toLowerCase()})</span>
          </li>
        ))}
      </ul>
      {network.isBot && (
        <Link
          href={`/accounts/${account.id}/chats`}
          className="mt-2 inline-flex min-h-11 items-center text-accent underline"
        >
          {accountWords.addChat}
        </Link>
      )}
    </div>
  );
}

type DisconnectProps = { account: ApiAccount; networkName: string; disconnect: ReturnType<typeof useDisconnect> };

/** Disconnects an account after a confirmation that states what happens to its planned posts. */
function Disconnect({ account, networkName, disconnect }: DisconnectProps) {
  const [isAsked, setAsked] = useState(false);
  const planned = usePlanned(account.id, isAsked);
  return (
    <Confirm
      trigger={
        <Button
          look="quiet"
          aria-disabled={disconnect.isPending}
          aria-label={accountWords.disconnectOne(handleOf(account))}
        >
          {disconnect.isPending ? accountWords.disconnecting : accountWords.disconnect}
        </Button>
      }
      title={accountWords.disconnectQuestion(handleOf(account))}
      action={accountWords.disconnect}
      onConfirm={() => disconnect.mutate(account.id)}
      onOpenChange={setAsked}
    >
      <p>{accountWords.erased(networkName)}</p>
      <p className="mt-2 font-medium text-ink">{meaning(planned.data)}</p>
      <p className="mt-2">{accountWords.comeBack}</p>
    </Confirm>
  );
}

function meaning(planned: { count: number; isMore: boolean } | undefined): string {
  if (!planned) return accountWords.anyWillFail;
  if (planned.count === 0) return accountWords.nothingPlanned;
  return planned.isMore ? accountWords.moreWillFail(planned.count) : accountWords.willFail(planned.count);
}
