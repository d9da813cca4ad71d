import type { Metadata } from "next";
import { Library } from "@/components/library/library";
import { libraryWords } from "@/components/library/words";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: libraryWords.page.media };

export default async function LibraryPage() {
  const user = await signedIn("/library");
  return (
    <>
      <PageHeading title={libraryWords.page.media} lead={libraryWords.page.mediaLead} />
      <Library userId={user.id} />
    </>
  );
}
