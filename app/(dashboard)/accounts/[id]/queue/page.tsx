import type { Metadata } from "next";
import { accountWords } from "@/components/accounts/words";
import { QueueEditor } from "@/components/queue/queue";
import { ownAccount } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: accountWords.page.queue };

type Props = { params: Promise<{ id: string }> };

/** An account's weekly posting slots. */
export default async function QueuePage({ params }: Props) {
  const { id, displayName, platform } = await ownAccount((await params).id, "/queue");
  return (
    <>
      <PageHeading
        title={accountWords.page.queue}
        lead={accountWords.page.queueLead(displayName, networkOf(platform).name)}
        action={
          <Link href="/accounts" className={buttonClass("quiet")}>
            {accountWords.page.backToAccounts}
          </Link>
        }
      />
      <QueueEditor accountId={id} />
    </>
  );
}
