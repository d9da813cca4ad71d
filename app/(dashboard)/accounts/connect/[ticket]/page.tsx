import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { BotTalkView } from "@/components/accounts/bot-talk";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import * as words from "@/components/words/app-dashboard";
import { botTalkOf } from "@/lib/connect";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: words.connectTitle };

type Props = { params: Promise<{ ticket: string }> };

/** Connecting by a bot: what to do, and how it stands while the person does it in another application. */
export default async function BotTalkPage({ params }: Props) {
  const { ticket } = await params;
  const user = await signedIn("/accounts");
  const talk = await botTalkOf(user.id, ticket);
  const network = talk && networkOf(talk.platform);
  if (!talk || !network) notFound();
  if (talk.state === "connected") redirect(`/accounts/${talk.accountId}/chats`);
  return (
    <>
      <PageHeading title={words.connect(network.name)} lead={words.connectLead} />
      <BotTalkView talk={talk} network={network.name} here={`/accounts/connect/${ticket}`} />
    </>
  );
}
