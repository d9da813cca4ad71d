import type { Metadata } from "next";
import { ImportPosts } from "@/components/bulk/import-posts";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: "Import posts" };

export default async function ImportPostsPage() {
  await signedIn("/posts/import");
  return (
    <>
      <PageHeading title="Import posts" lead="Many posts at once, from a spreadsheet that is saved as CSV in UTF-8." />
      <ImportPosts networks={networkFacts()} />
    </>
  );
}
