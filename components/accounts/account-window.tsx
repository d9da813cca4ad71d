"use client";
import { useState } from "react";
import { splitReconnectMessage } from "@/lib/errors";
import { useAccountGroups, useChats, useDisconnect, usePlanned, useSaveGroup } from "../api/queries";
import type { ApiAccount } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { Button, buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { Handle } from "../ui/sentence";
import { TitledModal } from "../ui/titled-modal";
import { AccountFace } from "./account-face";
import { groupDots, handleOf, instantOf } from "./names";
import { accountWords } from "./words";

type Props = { account: ApiAccount; network: NetworkFacts | undefined; close: () => void };

/** Everything about one account: its state, its groups, where it can post, and disconnecting it. */
export function AccountWindow({ account, network, close }: Props) {
  const [isAsked, setAsked] = useState(false);
  const networkName = network?.name ?? account.platform;
  if (isAsked) return <Disconnect account={account} networkName={networkName} close={close} />;
  return (
    <TitledModal title={account.accountDisplayName || handleOf(account)} close={close}>
      <div className="flex items-center gap-4">
        <AccountFace account={account} />
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere text-muted">
            {networkName} · <Handle>{handleOf(account)}</Handle>
          </p>
          <State account={account} networkName={networkName} />
        </div>
      </div>
      <Groups account={account} />
      {network?.destinations && <DestinationList account={account} network={network} />}
      <div className="flex flex-wrap gap-2 border-line border-t pt-4">
        <Link
          href={`/accounts/${account.id}/queue`}
          aria-label={accountWords.queueOf(handleOf(account))}
          className={buttonClass("quiet")}
        >
          {accountWords.queue}
        </Link>
        <Button look="danger" aria-label={accountWords.disconnectOne(handleOf(account))} onClick={() => setAsked(true)}>
          {accountWords.disconnect}
        </Button>
        <Button look="quiet" className="ml-auto" onClick={close}>
          {accountWords.done}
        </Button>
      </div>
    </TitledModal>
  );
}

function State({ account, networkName }: { account: ApiAccount; networkName: string }) {
  const { state, stateTime, stateReason, permissionEndsTime } = account;
  if (state !== "ACTIVE") {
    const since = instantOf(stateTime).words;
    return (
      <>
        <p className="font-medium text-warn">{accountWords.needsYou}</p>
        <p className="text-muted text-sm">
          {stateReason
            ? accountWords.sinceBecause(splitReconnectMessage(stateReason).reason, since)
            : accountWords.since(since)}
        </p>
      </>
    );
  }
  if (!permissionEndsTime) return <p className="text-accent">{accountWords.connected}</p>;
  return <p>{accountWords.permissionEnds(networkName, instantOf(permissionEndsTime).words)}</p>;
}

/** The groups of the account. A press saves at once. */
function Groups({ account }: { account: ApiAccount }) {
  const groups = useAccountGroups();
  const save = useSaveGroup();
  // React resets a controlled checkbox unless its state changes in the same event, and the query cache updates later.
  const [pressed, setPressed] = useState<{ [groupId: number]: boolean }>({});
  if (!groups.data?.length) return null;
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-semibold">{accountWords.groups.of}</legend>
      {groups.data.map(({ id, name, colour, accountIds }) => (
        <label key={id} className="flex min-h-9 items-center gap-2.5">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={pressed[id] ?? accountIds.includes(account.id)}
            onChange={({ target }) => {
              const others = accountIds.filter((one) => one !== account.id);
              setPressed({ ...pressed, [id]: target.checked });
              save.mutate(
                { id, accountIds: target.checked ? [...others, account.id] : others },
                { onError: () => setPressed({}) },
              );
            }}
          />
          <span aria-hidden className={`size-2.5 rounded-sm ${groupDots[colour]}`} />
          <span className="wrap-anywhere">{name}</span>
        </label>
      ))}
      {save.isError && (
        <p role="alert" className="text-wrong">
          {accountWords.groups.notSaved(save.error.message)}
        </p>
      )}
    </fieldset>
  );
}

/** Lists the channels, Pages or boards of an account, with a link to add another. */
function DestinationList({ account, network }: { account: ApiAccount; network: NetworkFacts }) {
  const chats = useChats(account);
  if (network.destinations?.own && !chats.data?.length) return null;
  return (
    <div className="text-sm">
      <h3 className="font-semibold text-base">{accountWords.whereTo}</h3>
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

type DisconnectProps = { account: ApiAccount; networkName: string; close: () => void };

/** Disconnects an account after it says what happens to its scheduled posts. */
function Disconnect({ account, networkName, close }: DisconnectProps) {
  const disconnect = useDisconnect();
  const planned = usePlanned(account.id, true);
  return (
    <TitledModal
      title={accountWords.disconnectQuestion(handleOf(account))}
      close={close}
      otherwise="#connected-accounts"
      comesByItself
    >
      <div className="text-muted">
        <p>{accountWords.erased(networkName)}</p>
        <p className="mt-2 font-medium text-ink">{meaning(planned.data)}</p>
        <p className="mt-2">{accountWords.comeBack}</p>
      </div>
      {disconnect.isError && (
        <p role="alert" className="text-wrong">
          {disconnect.error.message}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="quiet" onClick={close}>
          {accountWords.keep}
        </Button>
        <Button
          look="danger"
          aria-disabled={disconnect.isPending}
          onClick={() => disconnect.isPending || disconnect.mutate(account.id, { onSuccess: close })}
        >
          {disconnect.isPending ? accountWords.disconnecting : accountWords.disconnect}
        </Button>
      </div>
    </TitledModal>
  );
}

function meaning(planned: { count: number; isMore: boolean } | undefined): string {
  if (!planned) return accountWords.anyWillFail;
  if (planned.count === 0) return accountWords.nothingPlanned;
  return planned.isMore ? accountWords.moreWillFail(planned.count) : accountWords.willFail(planned.count);
}
