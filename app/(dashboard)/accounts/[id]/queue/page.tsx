import type { Metadata } from "next";
import { Queue } from "@/components/queue/queue";
import { ownAccount } from "@/components/session/own-account";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: "Queue" };

type Props = { params: Promise<{ id: string }> };

/** When an account likes to post, week after week. */
export default async function QueuePage({ params }: Props) {
  const { id, displayName, platform } = await ownAccount((await params).id, "/queue");
  return (
    <>
      <PageHeading
        title="Queue"
        lead={`When ${displayName} on ${networkOf(platform).name} likes to post. “Next free slot” takes the first of these times at which nothing is planned.`}
        action={
          <Link href="/accounts" className={buttonClass("quiet")}>
            Back to your accounts
          </Link>
        }
      />
      <Queue accountId={id} />
    </>
  );
}
