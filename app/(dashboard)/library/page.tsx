import type { Metadata } from "next";
import { Library } from "@/components/library/library";
import { libraryWords } from "@/components/library/words";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: libraryWords.page.media };

type Props = { searchParams: Promise<{ find?: string | string[] }> };

export default async function LibraryPage({ searchParams }: Props) {
  const { find } = await searchParams;
  const sought = typeof find === "string" ? find : "";
  const user = await signedIn("/library");
  return (
    <>
      <PageHeading title={libraryWords.page.media} lead={libraryWords.page.mediaLead} />
      <Library key={sought} userId={user.id} sought={sought} />
    </>
  );
}
