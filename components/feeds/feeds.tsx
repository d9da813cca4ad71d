"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { z } from "zod";
import type { FeedView } from "@/lib/api/shapes";
import { displayName } from "../accounts/names";
import { callApi } from "../api/client";
import { useAccounts } from "../api/queries";
import type { ApiAccount } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { fromNow } from "../time/format";
import { useNow } from "../time/use-now";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Confirm } from "../ui/confirm";
import { CheckCircle2, PauseCircle, TriangleAlert } from "../ui/icons";
import { LoadFailed } from "../ui/loading";
import { Notice } from "../ui/notice";
import { Handle } from "../ui/sentence";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { FeedForm } from "./feed-form";
import { feedWords } from "./words";

type Feed = z.output<typeof FeedView>;

const FEEDS = ["feeds"];
/** A feed is read by itself, and no event reports it. */
const NOW_AND_THEN_MS = 30_000;

type Props = {
  /** The feeds at the time of the page's request. */
  initial: Feed[];
  networks: NetworkFacts[];
  /** When the page was requested, for its first rendering. */
  nowMs: number;
};

/** The feeds, and a form to add one. */
export function Feeds({ initial, networks, nowMs }: Props) {
  const feeds = useQuery({
    queryKey: FEEDS,
    initialData: initial,
    queryFn: ({ signal }) => callApi<Feed[]>("/v1/feeds", { signal }),
    refetchInterval: NOW_AND_THEN_MS,
  });
  const { data: accounts } = useAccounts();
  const cache = useQueryClient();
  const [added, setAdded] = useState<Feed>();
  const clockMs = useNow(NOW_AND_THEN_MS);
  const shownMs = useIsHydrated() ? clockMs : nowMs;
  return (
    <div className="grid items-start gap-10 wide:grid-cols-2">
      <section aria-label={feedWords.yours} className="grid gap-3">
        {feeds.isError && (
          <LoadFailed text={feedWords.couldNotLoad(feeds.error.message)} retry={() => feeds.refetch()} />
        )}
        {added && <Notice tone="good">{feedWords.added(titleOf(added))}</Notice>}
        {feeds.data.length === 0 && <p className="text-muted">{feedWords.none}</p>}
        {feeds.data.map((feed) => (
          <Row key={feed.id} feed={feed} accounts={accounts} networks={networks} nowMs={shownMs} />
        ))}
      </section>
      <section aria-labelledby="add" className="grid gap-4">
        <h2 id="add" className="font-semibold text-lg">
          {feedWords.add}
        </h2>
        <Card>
          <FeedForm
            key={added?.id}
            accounts={accounts}
            networks={networks}
            onAdded={(feed) => {
              setAdded(feed);
              void cache.invalidateQueries({ queryKey: FEEDS });
            }}
          />
        </Card>
      </section>
    </div>
  );
}

const titleOf = ({ title, url }: Feed) => title || url;

const looks = {
  ACTIVE: { icon: CheckCircle2, look: "bg-accent-soft text-accent" },
  FAILING: { icon: TriangleAlert, look: "bg-warn-soft text-warn" },
  STOPPED: { icon: PauseCircle, look: "bg-wrong-soft text-wrong" },
} as const;

type RowProps = Pick<Props, "networks" | "nowMs"> & { feed: Feed; accounts: ApiAccount[] | undefined };

function Row({ feed, accounts, networks, nowMs }: RowProps) {
  const { id, url, title, state, error, posts, template, lastReadTime } = feed;
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callApi<void>(`/v1/feeds/${id}`, { method: "DELETE" }),
    onSettled: () => cache.invalidateQueries({ queryKey: FEEDS }),
  });
  const { icon: Icon, look } = looks[state];
  const names =
    accounts && template.publications.map(({ socialMediaAccountId: one }) => displayName({ accounts, networks }, one));
  const readMs = lastReadTime && Date.parse(`${lastReadTime}Z`);
  const facts = [
    template.isDraft ? feedWords.asDrafts : feedWords.scheduled,
    feedWords.posts(posts),
    // A reading can be newer than the last tick of the clock.
    readMs ? feedWords.lastRead(fromNow(new Date(readMs), Math.max(readMs, nowMs))) : feedWords.notRead,
  ];
  return (
    <Card>
      <div className="flex items-start justify-between gap-3">
        <h2 className="wrap-anywhere min-w-0 font-medium">{titleOf(feed)}</h2>
        <span
          className={`inline-flex shrink-0 items-center gap-1.5 rounded-full px-3 py-1 font-medium text-sm ${look}`}
        >
          <Icon aria-hidden className="size-4" />
          {feedWords.states[state]}
        </span>
      </div>
      {title && <p className="wrap-anywhere text-muted text-sm">{url}</p>}
      {error && <p className="wrap-anywhere mt-2 text-sm text-warn">{error}</p>}
      {names && (
        <p className="mt-2 text-sm">
          <Handle>{feedWords.to([...new Set(names)].join(", "))}</Handle>
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-sm">{facts.join(" · ")}</p>
        <Confirm
          trigger={
            <Button look="quiet" aria-label={feedWords.removeOne(titleOf(feed))}>
              {feedWords.remove}
            </Button>
          }
          title={feedWords.removeTitle(titleOf(feed))}
          action={feedWords.remove}
          onConfirm={() => remove.mutate()}
        >
          {feedWords.removeMeans}
        </Confirm>
      </div>
      {remove.isError && (
        <p role="alert" className="mt-2 text-wrong">
          {remove.error.message}
        </p>
      )}
    </Card>
  );
}
