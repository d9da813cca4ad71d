import type { Metadata } from "next";
import { ImportPosts } from "@/components/bulk/import-posts";
import { bulkWords } from "@/components/bulk/words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: bulkWords.page.importPosts };

export default async function ImportPostsPage() {
  await signedIn("/posts/import");
  return (
    <>
      <PageHeading title={bulkWords.page.importPosts} lead={bulkWords.page.importLead} />
      <ImportPosts networks={networkFacts()} />
    </>
  );
}
