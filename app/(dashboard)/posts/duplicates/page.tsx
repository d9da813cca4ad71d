import type { Metadata } from "next";
import { Duplicates } from "@/components/duplicates/duplicates";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import * as words from "@/components/words/app-dashboard";

export const metadata: Metadata = { title: words.duplicates };

export default async function DuplicatesPage() {
  await signedIn("/posts/duplicates");
  return (
    <>
      <PageHeading title={words.duplicates} lead={words.duplicatesLead} />
      <Duplicates networks={networkFacts()} />
    </>
  );
}
