"use client";
import { useAccounts } from "../api/queries";
import type { NetworkFacts } from "../networks/types";
import { buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { LoadFailed } from "../ui/load-failed";
import { Notice } from "../ui/notice";
import { SkeletonRows } from "../ui/skeleton";
import { AccountCard } from "./account-card";
import { ConnectButtons } from "./connect-buttons";
import { handleOf } from "./names";
import { Sought } from "./sought";

type Props = { networks: NetworkFacts[]; connectedId?: number; soughtId?: number; feedUrl?: string };

/** @param soughtId the account that somebody came for: it is brought into view */
export function Accounts({ networks, connectedId, soughtId, feedUrl }: Props) {
  const accounts = useAccounts({ isAwaited: true });
  const networkOf = (platform: string) => networks.find((network) => network.platform === platform);
  const connected = accounts.data?.find(({ id }) => id === connectedId);
  return (
    <div className="grid gap-10">
      {connected && (
        <Notice
          tone="good"
          action={
            <Link href="/compose" className={buttonClass("primary")}>
              Write a post
            </Link>
          }
        >
          {handleOf(connected)} on {networkOf(connected.platform)?.name ?? connected.platform} is connected.
        </Notice>
      )}
      <section aria-label="Connected accounts" className="grid gap-3">
        {accounts.isPending && <SkeletonRows label="Loading accounts" rows={2} height="h-28" />}
        {accounts.isError && (
          <LoadFailed
            text={`Could not load your accounts: ${accounts.error.message}`}
            retry={() => accounts.refetch()}
          />
        )}
        {accounts.data?.length === 0 && (
          <p className="text-muted">No account is connected yet. Choose a network below to connect the first one.</p>
        )}
        {accounts.data?.map((account) => (
          <Sought key={account.id} isSought={account.id === soughtId}>
            <AccountCard account={account} network={networkOf(account.platform)} />
          </Sought>
        ))}
      </section>
      <section aria-labelledby="connect">
        <h2 id="connect" className="font-semibold text-lg">
          {accounts.data?.length ? "Connect another account" : "Connect an account"}
        </h2>
        <p className="mt-1 mb-4 text-muted">
          You decide on the network's own page, and can take it back here at any time. Several accounts per network are
          fine.
          {feedUrl && (
            <>
              {" "}
              Simulated networks behave like the real ones but post to{" "}
              <a href={feedUrl} className="text-accent underline">
                a page of their own
              </a>
              .
            </>
          )}
        </p>
        <ConnectButtons networks={networks} />
      </section>
    </div>
  );
}
