import type { Metadata } from "next";
import { Feeds } from "@/components/feeds/feeds";
import { feedWords } from "@/components/feeds/words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import { listFeeds, presentFeed } from "@/lib/schedules";

export const metadata: Metadata = { title: feedWords.title };

export default async function FeedsPage() {
  const { id } = await signedIn("/feeds");
  return (
    <>
      <PageHeading title={feedWords.title} lead={feedWords.lead} />
      <Feeds initial={(await listFeeds(id)).map(presentFeed)} networks={networkFacts()} nowMs={Date.now()} />
    </>
  );
}
