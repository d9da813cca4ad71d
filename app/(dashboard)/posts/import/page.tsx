import type { Metadata } from "next";
import { ImportPosts } from "@/components/bulk/import-posts";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import * as words from "@/components/words/app-dashboard";

export const metadata: Metadata = { title: words.importPosts };

export default async function ImportPostsPage() {
  await signedIn("/posts/import");
  return (
    <>
      <PageHeading title={words.importPosts} lead={words.importLead} />
      <ImportPosts networks={networkFacts()} />
    </>
  );
}
