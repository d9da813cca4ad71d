import type { Metadata } from "next";
import { Accounts } from "@/components/accounts/accounts";
import { accountWords } from "@/components/accounts/words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: accountWords.page.accounts };

type Props = { searchParams: Promise<{ connected?: string | string[]; account?: string | string[] }> };

export default async function AccountsPage({ searchParams }: Props) {
  await signedIn("/accounts");
  const { connected, account } = await searchParams;
  return (
    <>
      <PageHeading title={accountWords.page.accounts} lead={accountWords.page.accountsLead} />
      <Accounts
        networks={networkFacts()}
        connectedId={Number(connected)}
        soughtId={Number(account)}
        feedUrl={env.sandbox?.url}
      />
    </>
  );
}
