"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { useAccounts } from "../api/queries";
import { ConnectProgress } from "../connect/connect-progress";
import { useConnectWindow } from "../connect/use-connect-window";
import { NetworkBadge } from "../networks/badge";
import type { NetworkFacts } from "../networks/types";
import { buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { AccountCard } from "./account-card";
import { MissedPosts } from "./incidents";
import { handleOf } from "./names";
import { accountWords } from "./words";

type Props = { networks: NetworkFacts[]; connectedId?: number; soughtId?: number; feedUrl?: string };

/** @param soughtId the account to scroll into view, from a link */
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
              {accountWords.write}
            </Link>
          }
        >
          {accountWords.isConnected(handleOf(connected), networkOf(connected.platform)?.name ?? connected.platform)}
        </Notice>
      )}
      <MissedPosts accounts={accounts.data ?? []} networks={networks} />
      <section aria-label={accountWords.connectedAccounts} className="grid gap-3">
        {accounts.isPending && <SkeletonRows label={accountWords.loading} rows={2} height="h-28" />}
        {accounts.isError && (
          <LoadFailed text={accountWords.couldNotLoad(accounts.error.message)} retry={() => accounts.refetch()} />
        )}
        {accounts.data?.length === 0 && <p className="text-muted">{accountWords.nothingYet}</p>}
        {accounts.data?.map((account) => (
          <Sought key={account.id} isSought={account.id === soughtId}>
            <AccountCard account={account} network={networkOf(account.platform)} />
          </Sought>
        ))}
      </section>
      <section aria-labelledby="connect">
        <h2 id="connect" className="font-semibold text-lg">
          {accounts.data?.length ? accountWords.connectAnother : accountWords.connectFirst}
        </h2>
        <p className="mt-1 mb-4 text-muted">
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
    </div>
  );
}

/** Scrolls the linked account into view and moves the focus there. */
function Sought({ isSought, children }: { isSought: boolean; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isSought) return;
    place.current?.scrollIntoView({ block: "center" });
    place.current?.focus({ preventScroll: true });
  }, [isSought]);
  return (
    <div ref={place} tabIndex={isSought ? -1 : undefined} className="rounded-2xl focus:outline-3 focus:outline-accent">
      {children}
    </div>
  );
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
        className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3"
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
            className="flex min-h-16 items-center gap-3 rounded-xl border border-edge bg-surface px-4 py-3 text-left hover:border-accent hover:bg-accent-soft"
          >
            <NetworkBadge platform={platform} />
            <span>
              <span className="block font-semibold">
                <span className="sr-only">{accountWords.connectTo}</span>
                {name}
              </span>
              <span className="block text-muted text-sm">
                {isSimulated ? accountWords.simulated : accountWords.connect}
              </span>
            </span>
          </button>
        ))}
      </form>
    </>
  );
}
