import type { Metadata } from "next";
import { Duplicates } from "@/components/duplicates/duplicates";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: "Duplicates" };

export default async function DuplicatesPage() {
  await signedIn("/posts/duplicates");
  return (
    <>
      <PageHeading
        title="Duplicates"
        lead="Planned posts and drafts that say the same. Tick those that are to be one, and see what would come of it."
      />
      <Duplicates networks={networkFacts()} />
    </>
  );
}
