"use client";

import { useEffect, useState } from "react";
import { useAccountGroups, useAccountPlans, useAccounts } from "../api/queries";
import { ConnectProgress } from "../connect/connect-progress";
import { useConnectWindow } from "../connect/use-connect-window";
import { NetworkBadge } from "../networks/badge";
import type { NetworkFacts } from "../networks/types";
import { buttonClass } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { AccountTable } from "./account-table";
import { Incidents, MissedPosts } from "./incidents";
import { handleOf } from "./names";
import { accountWords } from "./words";

type Props = { networks: NetworkFacts[]; connectedId?: number; soughtId?: number; feedUrl?: string };

/** @param soughtId the account to scroll into view, from a link */
export function Accounts({ networks, connectedId, soughtId, feedUrl }: Props) {
  const accounts = useAccounts({ isAwaited: true });
  const isLate = useIsLate(accounts.isSuccess);
  // The table waits for its groups and plans, because both move its cells, but not for long.
  const isAwaited = [useAccountGroups(), useAccountPlans()].some(
    ({ isPending, failureCount }) => isPending && failureCount === 0,
  );
  const isLoading = accounts.isPending || (isAwaited && !isLate);
  const networkOf = (platform: string) => networks.find((network) => network.platform === platform);
  const connected = accounts.data?.find(({ id }) => id === connectedId);
  return (
    <div className="grid gap-8">
      {connected && (
        <Notice
          tone="good"
          action={
            <Link href="/compose" className={buttonClass("primary")}>
              {accountWords.write}
            </Link>
          }
        >
          {accountWords.isConnected(handleOf(connected), networkOf(connected.platform)?.name ?? connected.platform)}
        </Notice>
      )}
      <Incidents accounts={accounts.data ?? []} networks={networks} />
      <MissedPosts accounts={accounts.data ?? []} networks={networks} />
      <section aria-labelledby="connect">
        <h2 id="connect" className="font-semibold text-lg">
          {accounts.data?.length ? accountWords.connectAnother : accountWords.connectFirst}
        </h2>
        <p className="mt-1 mb-3 text-muted text-sm">
          {accountWords.howToConnect}
          {feedUrl && (
            <>
              {" "}
              <Sentence
                text={accountWords.simulatedPost}
                parts={{
                  page: (
                    <a href={feedUrl} className="text-accent underline">
                      {accountWords.ownPage}
                    </a>
                  ),
                }}
              />
            </>
          )}
        </p>
        <ConnectButtons networks={networks} />
      </section>
      <section
        id="connected-accounts"
        tabIndex={-1}
        aria-label={accountWords.connectedAccounts}
        className="outline-none"
      >
        {isLoading && <SkeletonRows label={accountWords.loading} rows={4} height="h-14" />}
        {accounts.isError && (
          <LoadFailed text={accountWords.couldNotLoad(accounts.error.message)} retry={() => accounts.refetch()} />
        )}
        {accounts.data?.length === 0 && <EmptyState picture="accounts" {...accountWords.nothingYet} />}
        {!isLoading && accounts.data && accounts.data.length > 0 && (
          <AccountTable accounts={accounts.data} networks={networks} soughtId={soughtId} />
        )}
      </section>
    </div>
  );
}

/** How long the accounts wait for their groups and posting times. */
const PATIENCE_MS = 2_000;

/** Whether `PATIENCE_MS` have passed since `isReady`. */
function useIsLate(isReady: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isReady]);
  return isLate;
}

/**
 * A plain form with one button per network. The response is the network's consent page, in a separate window where
 * there is room for one. For a bot, this page waits while the user talks to it in the network's app.
 */
function ConnectButtons({ networks }: { networks: NetworkFacts[] }) {
  const connecting = useConnectWindow();
  const find = (platform: string) => networks.find((network) => network.platform === platform);
  const networkOf = (platform: string) => find(platform)?.name ?? platform;
  return (
    <>
      <ConnectProgress {...connecting} networkOf={networkOf} />
      <form
        method="post"
        action="/oauth/connect/new"
        className="grid grid-cols-[repeat(auto-fill,minmax(3.75rem,1fr))] gap-1.5 sm:grid-cols-5 sm:gap-2 wide:grid-cols-10"
        onSubmit={(event) => {
          const { submitter } = event.nativeEvent as SubmitEvent; // the native type of a form's submit event
          const network = find(submitter instanceof HTMLButtonElement ? submitter.value : "");
          if (network && !network.isBot) connecting.onSubmit(event, network.name);
        }}
      >
        <input type="hidden" name="ticket" />
        <input type="hidden" name="window" />
        {networks.map(({ platform, name, isSimulated }) => (
          <button
            key={platform}
            type="submit"
            name="platform"
            value={platform}
            className="grid justify-items-center gap-2 rounded-xl border border-line bg-surface py-3 text-center hover:border-accent hover:bg-accent-soft"
          >
            <NetworkBadge platform={platform} className="size-9" />
            <span className="font-medium text-xs sm:text-sm">
              <span className="sr-only">{accountWords.connectTo}</span>
              {name}
              {isSimulated && <span className="block font-normal text-muted text-xs">{accountWords.simulated}</span>}
            </span>
          </button>
        ))}
      </form>
    </>
  );
}
