"use client";
import { useChats } from "../api/queries";
import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";

/** The channels, Pages or boards of an account, and how to get one more. */
export function DestinationList({ account, network }: { account: Account; network: NetworkFacts }) {
  const chats = useChats(account);
  return (
    <div className="mt-4 border-line border-t pt-4 text-sm">
      <h3 className="font-semibold">Where it can post</h3>
      {chats.isPending && <p className="text-muted">Looking…</p>}
      {chats.isError && <p className="text-wrong">Could not be read: {chats.error.message}</p>}
      {chats.data?.length === 0 && <p className="text-muted">Nowhere yet.</p>}
      <ul className="mt-1 grid gap-1">
        {chats.data?.map(({ id, title, type }) => (
          <li key={id}>
            {title} <span className="text-muted">({type.toLowerCase()})</span>
          </li>
        ))}
      </ul>
      {network.isBot && (
        <p className="mt-2 text-muted">
          To add a channel, open it in {network.name}, add the bot as an administrator and let it post messages. It
          shows up here by itself within seconds.
        </p>
      )}
    </div>
  );
}
