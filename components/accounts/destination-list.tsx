"use client";
import { useChats } from "../api/queries";
import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { Link } from "../ui/link";
import { accountWords } from "./words";

/** The channels, Pages or boards of an account, and how to get one more. */
export function DestinationList({ account, network }: { account: Account; network: NetworkFacts }) {
  const chats = useChats(account);
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
