import type { Metadata } from "next";
import { Queue } from "@/components/queue/queue";
import { ownAccount } from "@/components/session/own-account";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import * as words from "@/components/words/app-dashboard";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: words.queue };

type Props = { params: Promise<{ id: string }> };

/** When an account likes to post, week after week. */
export default async function QueuePage({ params }: Props) {
  const { id, displayName, platform } = await ownAccount((await params).id, "/queue");
  return (
    <>
      <PageHeading
        title={words.queue}
        lead={words.queueLead(displayName, networkOf(platform).name)}
        action={
          <Link href="/accounts" className={buttonClass("quiet")}>
            {words.backToAccounts}
          </Link>
        }
      />
      <Queue accountId={id} />
    </>
  );
}
