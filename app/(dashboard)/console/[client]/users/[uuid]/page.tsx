import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { consolePartner } from "@/app/access";
import { Attempts } from "@/components/console/attempts";
import { ConsoleFrame } from "@/components/console/frame";
import { Table, utc } from "@/components/console/table";
import { consoleWords } from "@/components/console/words";
import { Sentence } from "@/components/ui/sentence";
import { type ListedAccount, listAccounts } from "@/lib/accounts";
import { listConnectTraces } from "@/lib/connect";
import { networkOf } from "@/lib/networks";
import { findConsoleUser } from "@/lib/partners";

export const metadata: Metadata = { title: consoleWords.pages.user };

type Props = { params: Promise<{ client: string; uuid: string }> };

/** One end user with accounts, their states and the latest connect attempts. */
export default async function UserPage({ params }: Props) {
  const { client, uuid } = await params;
  const { partner } = await consolePartner(client, `/users/${uuid}`);
  const user = await findConsoleUser(partner.id, uuid);
  if (!user) notFound();
  const [accounts, traces] = await Promise.all([
    listAccounts(user.id),
    listConnectTraces(partner.id, { limit: 20, connectUserId: user.id }),
  ]);
  const rows = accounts.map((account) => ({
    key: String(account.id),
    cells: [
      account.username || account.displayName,
      networkOf(account.platform)?.name ?? account.platform,
      stateOf(account),
      utc(account.heldSince ?? account.stateSince),
      account.permissionEndsAt
        ? consoleWords.pages.permissionEnds(utc(account.permissionEndsAt))
        : consoleWords.pages.permissionStays,
    ],
  }));
  return (
    <ConsoleFrame partner={partner} here="/users" lead={consoleWords.pages.userLead(user.name, user.externalUserId)}>
      <section aria-labelledby="accounts" className="grid gap-3">
        <h2 id="accounts" className="font-semibold text-lg">
          {consoleWords.pages.accounts}
        </h2>
        <Table
          caption={consoleWords.pages.accounts}
          head={consoleWords.pages.accountsHead}
          rows={rows}
          empty={consoleWords.pages.noAccounts}
        />
        <p className="text-muted text-sm">
          <Sentence text={consoleWords.pages.howToReconnect} parts={{ id: <code>{user.id}</code> }} />
        </p>
      </section>
      <section aria-labelledby="attempts" className="grid gap-3">
        <h2 id="attempts" className="font-semibold text-lg">
          {consoleWords.pages.attempts}
        </h2>
        <Attempts traces={traces.items} empty={consoleWords.pages.noAttempts} />
      </section>
    </ConsoleFrame>
  );
}

function stateOf({ state, stateReason, heldSince }: ListedAccount): string {
  if (state === "RECONNECT_REQUIRED")
    return stateReason ? consoleWords.pages.toReconnectWhy(stateReason) : consoleWords.pages.toReconnect;
  return heldSince ? consoleWords.pages.held : consoleWords.pages.connected;
}
