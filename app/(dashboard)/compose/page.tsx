import type { Metadata } from "next";
import { Compose } from "@/components/compose/compose";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";

export const metadata: Metadata = { title: "Write" };

type Props = { searchParams: Promise<{ at?: string | string[] }> };

export default async function ComposePage({ searchParams }: Props) {
  const user = await signedIn("/compose");
  const { at } = await searchParams;
  return (
    <>
      <PageHeading title="Write a post" lead="One text for every account; each can have its own." />
      <Compose networks={networkFacts()} userId={user.id} at={localTime(at)} />
    </>
  );
}

/** A time as the calendar gives it: what a `datetime-local` field writes. */
function localTime(at: string | string[] | undefined): string | undefined {
  return typeof at === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(at) ? at : undefined;
}
