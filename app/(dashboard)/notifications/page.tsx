import type { Metadata } from "next";
import { NoticeList } from "@/components/home/attention";
import { homeWords } from "@/components/home/words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: homeWords.attention.title };

export default async function NotificationsPage() {
  await signedIn("/notifications");
  return (
    <>
      <PageHeading title={homeWords.attention.title} />
      <NoticeList networks={networkFacts()} />
    </>
  );
}
