"use client";
import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { instantOf } from "./instant";
import { handleOf } from "./names";
import { ReconnectForm } from "./reconnect-form";

/** One notice for each account that needs its person, however many posts wait for it; gone once it is connected again. */
export function Incidents({ accounts, networks }: { accounts: Account[]; networks: NetworkFacts[] }) {
  const incidents = accounts.filter(({ state }) => state === "RECONNECT_REQUIRED");
  if (incidents.length === 0) return null;
  return (
    <section aria-label="Needs you" className="grid gap-3">
      {incidents.map((account) => (
        <Notice
          key={account.id}
          tone="warn"
          action={
            <ReconnectForm account={account}>
              <Button type="submit" aria-label={`Reconnect ${handleOf(account)}`}>
                Reconnect
              </Button>
            </ReconnectForm>
          }
        >
          {handleOf(account)} on {nameOf(account, networks)} has needed you since {instantOf(account.stateTime).words}.
          What is scheduled for it waits.
        </Notice>
      ))}
    </section>
  );
}

function nameOf({ platform }: Account, networks: NetworkFacts[]): string {
  return networks.find((network) => network.platform === platform)?.name ?? platform;
}
