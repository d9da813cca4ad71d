import type { Metadata } from "next";
import { accountWords } from "@/components/accounts/words";
import { CloseWindow } from "@/components/connect/channel";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: accountWords.page.connected };

type Props = { searchParams: Promise<{ connected?: string | string[] }> };

/** The end of a connect in a separate window. Its text is seen only if the window cannot close itself. */
export default async function ConnectedPage({ searchParams }: Props) {
  const accountId = Number((await searchParams).connected);
  return (
    <main className="mx-auto grid max-w-md gap-4 p-6 pt-16">
      {Number.isInteger(accountId) && <CloseWindow accountId={accountId} />}
      <h1 className="text-2xl">{accountWords.page.connected}</h1>
      <p className="text-muted">{accountWords.page.connectedLead}</p>
      <p>
        <Link href="/accounts" className={buttonClass("quiet")}>
          {accountWords.page.goToAccounts}
        </Link>
      </p>
    </main>
  );
}
