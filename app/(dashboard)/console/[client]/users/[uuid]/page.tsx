import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Attempts } from "@/components/console/attempts";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { Table } from "@/components/console/table";
import { utc } from "@/components/console/when";
import { type ListedAccount, listAccounts } from "@/lib/accounts";
import { consoleUser, listTraces } from "@/lib/connect";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: "End-user" };

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
      account.permissionEndsAt ? `ends ${utc(account.permissionEndsAt)}` : "renewed by itself",
    ],
  }));
  return (
    <ConsoleFrame partner={partner} here="/users" lead={`${user.name}, your ${user.externalUserId}.`}>
      <section aria-labelledby="accounts" className="grid gap-3">
        <h2 id="accounts" className="font-semibold text-lg">
          Accounts
        </h2>
        <Table
          caption="Accounts"
          head={["Account", "Network", "State", "Since", "Permission"]}
          rows={rows}
          empty="No account is connected."
        />
        <p className="text-muted text-sm">
          To have one connected again, ask for a new address by POST /v1/connect/authorize-url and open it for this
          user: the account keeps its id. Carillon’s id of the user is <code>{user.id}</code>.
        </p>
      </section>
      <section aria-labelledby="attempts" className="grid gap-3">
        <h2 id="attempts" className="font-semibold text-lg">
          Connect attempts
        </h2>
        <Attempts traces={traces.items} empty="None in the last 30 days." />
      </section>
    </ConsoleFrame>
  );
}

function stateOf({ state, stateReason, heldSince }: ListedAccount): string {
  if (state === "RECONNECT_REQUIRED") return `To be connected again: ${stateReason ?? "the network asks for it"}`;
  return heldSince ? "Held until you confirm it" : "Connected";
}
