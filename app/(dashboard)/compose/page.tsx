import type { Metadata } from "next";
import { Compose } from "@/components/compose/compose";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: "Write" };

export default async function ComposePage() {
  const user = await signedIn("/compose");
  return (
    <>
      <PageHeading title="Write a post" lead="One text for every account; each can have its own." />
      <Compose networks={networkFacts()} userId={user.id} />
    </>
  );
}
