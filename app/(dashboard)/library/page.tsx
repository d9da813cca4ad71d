import type { Metadata } from "next";
import { Library } from "@/components/library/library";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: "Media" };

export default async function LibraryPage() {
  const user = await signedIn("/library");
  return (
    <>
      <PageHeading title="Media" lead="Pictures and videos that are stored and ready for any post." />
      <Library userId={user.id} />
    </>
  );
}
