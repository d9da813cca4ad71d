import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ReconnectForm } from "@/components/accounts/reconnect-form";
import { ownAccount } from "@/components/session/own-account";
import { Button, buttonClass } from "@/components/ui/button";
import { Card, PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: "Reconnect" };

type Props = { params: Promise<{ id: string }> };

/** Where an account's `reconnectUrl` leads: why it needs its person, and the one button that mends it. */
export default async function ReconnectPage({ params }: Props) {
  const account = await ownAccount((await params).id, "/reconnect");
  const network = networkOf(account.platform);
  if (!network) notFound();
  const isWell = account.state === "ACTIVE";
  const name = account.username || account.displayName;
  return (
    <>
      <PageHeading title={`Reconnect ${name}`} lead={`Your account on ${network.name}.`} />
      <Card className="grid max-w-xl gap-4">
        <p>
          {isWell
            ? "This account is connected, and nothing has to be done."
            : `${account.stateReason ?? `${network.name} asks for this account to be connected again`}.`}
        </p>
        <p className="text-muted">
          Choose the same account on {network.name}’s page: it keeps its place here, and everything that is scheduled
          for it.
        </p>
        <div className="flex flex-wrap gap-3">
          <ReconnectForm account={{ platform: account.platform, accountUsername: account.username }}>
            <Button type="submit">Reconnect</Button>
          </ReconnectForm>
          <Link href="/accounts" className={buttonClass("quiet")}>
            Back to your accounts
          </Link>
        </div>
      </Card>
    </>
  );
}
