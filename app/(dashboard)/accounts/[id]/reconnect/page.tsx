import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { handleOf } from "@/components/accounts/names";
import { ReconnectForm } from "@/components/accounts/reconnect-form";
import { accountWords } from "@/components/accounts/words";
import { ownAccount } from "@/components/session/signed-in";
import { Button, buttonClass } from "@/components/ui/button";
import { Card, PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { splitReconnectMessage } from "@/lib/errors";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: accountWords.page.reconnect };

type Props = { params: Promise<{ id: string }> };

/** The page behind an account's `reconnectUrl`: why it must be reconnected, and the button for it. */
export default async function ReconnectPage({ params }: Props) {
  const account = await ownAccount((await params).id, "/reconnect");
  const network = networkOf(account.platform);
  if (!network) notFound();
  const isWell = account.state === "ACTIVE";
  const why = account.stateReason
    ? accountWords.page.said(splitReconnectMessage(account.stateReason).reason)
    : accountWords.page.asksAgain(network.name);
  const name = handleOf({ accountUsername: account.username, accountDisplayName: account.displayName });
  return (
    <>
      <PageHeading title={accountWords.page.reconnectAccount(name)} lead={accountWords.page.accountOn(network.name)} />
      <Card className="grid max-w-xl gap-4">
        <p>{isWell ? accountWords.page.isWell : why}</p>
        <p className="text-muted">{accountWords.page.chooseSame(network.name)}</p>
        <div className="flex flex-wrap gap-3">
          <ReconnectForm account={{ id: account.id, platform: account.platform, accountUsername: account.username }}>
            <Button type="submit">{accountWords.page.reconnect}</Button>
          </ReconnectForm>
          <Link href="/accounts" className={buttonClass("quiet")}>
            {accountWords.page.backToAccounts}
          </Link>
        </div>
      </Card>
    </>
  );
}
