import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { BotTalkView } from "@/components/accounts/bot-talk";
import { accountWords } from "@/components/accounts/words";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import { findBotConnection } from "@/lib/connect";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: accountWords.page.connectTitle };

type Props = { params: Promise<{ ticket: string }> };

/** Connecting through a bot: what to do in the other application, and the current state. */
export default async function BotConnectionPage({ params }: Props) {
  const { ticket } = await params;
  const user = await signedIn("/accounts");
  const talk = await findBotConnection(user.id, ticket);
  const network = talk && networkOf(talk.platform);
  if (!talk || !network) notFound();
  if (talk.state === "connected") redirect(`/accounts/${talk.accountId}/chats`);
  return (
    <>
      <PageHeading title={accountWords.page.connect(network.name)} lead={accountWords.page.connectLead} />
      <BotTalkView talk={talk} network={network.name} here={`/accounts/connect/${ticket}`} />
    </>
  );
}
