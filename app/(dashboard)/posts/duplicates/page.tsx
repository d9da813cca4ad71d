import type { Metadata } from "next";
import { DuplicateFinder } from "@/components/duplicates/duplicates";
import { duplicateWords } from "@/components/duplicates/words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: duplicateWords.page.duplicates };

export default async function DuplicatesPage() {
  await signedIn("/posts/duplicates");
  return (
    <>
      <PageHeading title={duplicateWords.page.duplicates} lead={duplicateWords.page.duplicatesLead} />
      <DuplicateFinder networks={networkFacts()} />
    </>
  );
}
