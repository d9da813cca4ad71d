import type { Metadata } from "next";
import { Accounts } from "@/components/accounts/accounts";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Accounts" };

type Props = { searchParams: Promise<{ connected?: string | string[] }> };

export default async function AccountsPage({ searchParams }: Props) {
  await signedIn("/accounts");
  const connectedId = Number((await searchParams).connected);
  return (
    <>
      <PageHeading title="Accounts" lead="Where Carillon may post for you." />
      <Accounts networks={networkFacts()} connectedId={connectedId} feedUrl={env.sandbox?.url} />
    </>
  );
}
