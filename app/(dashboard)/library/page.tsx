import type { Metadata } from "next";
import { Library } from "@/components/library/library";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: "Media" };

type Props = { searchParams: Promise<{ find?: string | string[] }> };

export default async function LibraryPage({ searchParams }: Props) {
  const { find } = await searchParams;
  const sought = typeof find === "string" ? find : "";
  const user = await signedIn("/library");
  return (
    <>
      <PageHeading title="Media" lead="Pictures and videos that are stored and ready for any post." />
      <Library key={sought} userId={user.id} sought={sought} />
    </>
  );
}
