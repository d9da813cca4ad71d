import type { Metadata } from "next";
import { Library } from "@/components/library/library";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import * as words from "@/components/words/app-dashboard";

export const metadata: Metadata = { title: words.media };

type Props = { searchParams: Promise<{ find?: string | string[] }> };

export default async function LibraryPage({ searchParams }: Props) {
  const { find } = await searchParams;
  const sought = typeof find === "string" ? find : "";
  const user = await signedIn("/library");
  return (
    <>
      <PageHeading title={words.media} lead={words.mediaLead} />
      <Library key={sought} userId={user.id} sought={sought} />
    </>
  );
}
