"use client";
import type { ApiAccount } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { handleOf, instantOf } from "./names";
import { ReconnectForm } from "./reconnect-form";
import { accountWords } from "./words";

/** One notice per account that must be connected again, however many posts it has. */
export function Incidents({ accounts, networks }: { accounts: ApiAccount[]; networks: NetworkFacts[] }) {
  const incidents = accounts.filter(({ state }) => state === "RECONNECT_REQUIRED");
  if (incidents.length === 0) return null;
  return (
    <section aria-label={accountWords.reconnect.needsYou} className="grid gap-3">
      {incidents.map((account) => (
        <Notice
          key={account.id}
          tone="warn"
          action={
            <ReconnectForm account={account}>
              <Button type="submit" aria-label={accountWords.reconnect.reconnectOne(handleOf(account))}>
                {accountWords.reconnect.reconnect}
              </Button>
            </ReconnectForm>
          }
        >
          {accountWords.reconnect.needed(
            handleOf(account),
            nameOf(account, networks),
            instantOf(account.stateTime).words,
          )}
        </Notice>
      ))}
    </section>
  );
}

function nameOf({ platform }: ApiAccount, networks: NetworkFacts[]): string {
  return networks.find((network) => network.platform === platform)?.name ?? platform;
}
