import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { BotChats } from "@/components/accounts/bot-chats";
import { handleOf } from "@/components/accounts/names";
import { accountWords } from "@/components/accounts/words";
import { ownAccount } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import { listUnusableDestinations, storedDestinations } from "@/lib/accounts";
import { appOf, isOffered, networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: accountWords.page.chats };

type Props = { params: Promise<{ id: string }> };

/** The connected person, as in `Ada (@ada)`: this page is the first one after a connect. */
function personOf({ username, displayName }: { username: string; displayName: string }): string {
  const handle = handleOf({ accountUsername: username, accountDisplayName: displayName });
  return handle === displayName ? displayName : `${displayName} (${handle})`;
}

/** The chats in which a bot may post for an account, those in which it no longer may, and how to add one. */
export default async function BotChatsPage({ params }: Props) {
  const account = await ownAccount((await params).id, "/chats");
  const network = networkOf(account.platform);
  if (network?.connect.kind !== "bot" || !isOffered(network.platform)) notFound();
  const [usable, lost, urls] = await Promise.all([
    storedDestinations([account.id]),
    listUnusableDestinations(account.id),
    network.connect.addUrls(appOf(network)).catch(() => undefined), // the lists are shown even if the network is down
  ]);
  const chats = usable.get(account.id) ?? [];
  return (
    <>
      <PageHeading
        title={accountWords.page.chats}
        lead={accountWords.page.chatsLead(personOf(account), network.name)}
      />
      <BotChats network={network.name} chats={chats} lost={lost} urls={urls} />
    </>
  );
}
