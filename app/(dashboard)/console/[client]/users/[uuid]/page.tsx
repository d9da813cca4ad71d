import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Attempts } from "@/components/console/attempts";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { Table } from "@/components/console/table";
import { utc } from "@/components/console/when";
import { Sentence } from "@/components/ui/sentence";
import * as words from "@/components/words/app-console";
import { type ListedAccount, listAccounts } from "@/lib/accounts";
import { consoleUser, listTraces } from "@/lib/connect";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: words.user };

type Props = { params: Promise<{ client: string; uuid: string }> };

/** One end-user: who it is, the accounts with how they are, and the latest attempts to connect. */
export default async function UserPage({ params }: Props) {
  const { client, uuid } = await params;
  const { partner } = await consolePartner(client, `/users/${uuid}`);
  const user = await consoleUser(partner.id, uuid);
  if (!user) notFound();
  const [accounts, traces] = await Promise.all([
    listAccounts(user.id),
    listTraces(partner.id, { limit: 20, connectUserId: user.id }),
  ]);
  const rows = accounts.map((account) => ({
    key: String(account.id),
    cells: [
      account.username || account.displayName,
      networkOf(account.platform)?.name ?? account.platform,
      stateOf(account),
      utc(account.heldSince ?? account.stateSince),
      account.permissionEndsAt ? words.permissionEnds(utc(account.permissionEndsAt)) : words.permissionStays,
    ],
  }));
  return (
    <ConsoleFrame partner={partner} here="/users" lead={words.userLead(user.name, user.externalUserId)}>
      <section aria-labelledby="accounts" className="grid gap-3">
        <h2 id="accounts" className="font-semibold text-lg">
          {words.accounts}
        </h2>
        <Table caption={words.accounts} head={words.accountsHead} rows={rows} empty={words.noAccounts} />
        <p className="text-muted text-sm">
          <Sentence text={words.howToReconnect} parts={{ id: <code>{user.id}</code> }} />
        </p>
      </section>
      <section aria-labelledby="attempts" className="grid gap-3">
        <h2 id="attempts" className="font-semibold text-lg">
          {words.attempts}
        </h2>
        <Attempts traces={traces.items} empty={words.noAttempts} />
      </section>
    </ConsoleFrame>
  );
}

function stateOf({ state, stateReason, heldSince }: ListedAccount): string {
  if (state === "RECONNECT_REQUIRED") return stateReason ? words.toReconnectWhy(stateReason) : words.toReconnect;
  return heldSince ? words.held : words.connected;
}
