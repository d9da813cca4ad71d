import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ReconnectForm } from "@/components/accounts/reconnect-form";
import { ownAccount } from "@/components/session/own-account";
import { Button, buttonClass } from "@/components/ui/button";
import { Card, PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import * as words from "@/components/words/app-dashboard";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: words.reconnect };

type Props = { params: Promise<{ id: string }> };

/** Where an account's `reconnectUrl` leads: why it needs its person, and the one button that mends it. */
export default async function ReconnectPage({ params }: Props) {
  const account = await ownAccount((await params).id, "/reconnect");
  const network = networkOf(account.platform);
  if (!network) notFound();
  const isWell = account.state === "ACTIVE";
  const why = account.stateReason ? words.said(account.stateReason) : words.asksAgain(network.name);
  const name = account.username || account.displayName;
  return (
    <>
      <PageHeading title={words.reconnectAccount(name)} lead={words.accountOn(network.name)} />
      <Card className="grid max-w-xl gap-4">
        <p>{isWell ? words.isWell : why}</p>
        <p className="text-muted">{words.chooseSame(network.name)}</p>
        <div className="flex flex-wrap gap-3">
          <ReconnectForm account={{ platform: account.platform, accountUsername: account.username }}>
            <Button type="submit">{words.reconnect}</Button>
          </ReconnectForm>
          <Link href="/accounts" className={buttonClass("quiet")}>
            {words.backToAccounts}
          </Link>
        </div>
      </Card>
    </>
  );
}
