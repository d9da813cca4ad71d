"use client";
import { useId, useState } from "react";
import { displayName } from "../accounts/names";
import { useAccounts } from "../api/queries";
import type { NetworkFacts } from "../networks/types";
import { useNow } from "../time/use-now";
import { Button, buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { loadedLater } from "../ui/toast";
import { useFocusOn } from "../ui/use-focus-on";
import { mergeInputFor, nothing, tick } from "./choice";
import { DuplicateGroupCard, TickAll } from "./group";
import { type MergeOutcome, type Ready, type SameGroup, useDuplicates, useMerges, usePlans } from "./queries";
import { lossWords, mergeAllWords, mergeProblemWords, mergeSummary, nameOfGroup, outcomeWords } from "./summary";
import { duplicateWords } from "./words";

const MergeWindow = loadedLater(() => import("./merge-window").then(({ MergeWindow }) => MergeWindow));

const nearness = [
  { hours: "24", name: duplicateWords.withinDay },
  { hours: "168", name: duplicateWords.withinWeek },
  { hours: "", name: duplicateWords.anyTime },
];

/** Lists near-duplicates and merges the ticked ones, one group or all of them. */
export function DuplicateFinder({ networks }: { networks: NetworkFacts[] }) {
  const [hours, setHours] = useState("24");
  const merges = useMerges();
  const found = useDuplicates(hours, merges.isPending);
  const accounts = useAccounts();
  const heading = useFocusOn(merges.data);
  const field = useId();
  const known = { accounts: accounts.data ?? [], networks };
  // Until the refetch after a merge, the groups are outdated.
  const isOld = found.isFetching && found.dataUpdatedAt < merges.submittedAt;
  const isPending = found.isPending || accounts.isPending;
  const groups = found.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className="grid gap-6">
      {merges.data && (
        <section aria-labelledby={`${field}-result`} className="grid gap-3">
          <h2 id={`${field}-result`} ref={heading} tabIndex={-1} className="font-semibold text-lg">
            {mergeSummary(merges.data)}
          </h2>
          <Results outcomes={merges.data} />
        </section>
      )}
      <div className="grid max-w-56 gap-1">
        <label htmlFor={field} className="font-medium text-sm">
          {duplicateWords.howNear}
        </label>
        <select
          id={field}
          value={hours}
          onChange={({ target }) => setHours(target.value)}
          className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3"
        >
          {nearness.map((one) => (
            <option key={one.hours} value={one.hours}>
              {one.name}
            </option>
          ))}
        </select>
      </div>
      {isPending && <SkeletonRows label={duplicateWords.looking} height="h-44" />}
      {!isPending && !found.data && (
        <LoadFailed text={duplicateWords.couldNotLoad(found.error.message)} retry={() => found.refetch()} />
      )}
      {accounts.error && !accounts.data && (
        <LoadFailed
          text={duplicateWords.couldNotLoadAccounts(accounts.error.message)}
          retry={() => accounts.refetch()}
        />
      )}
      {!isPending && found.data && groups.length === 0 && (
        <None isAnyTime={hours === ""} lookFurther={() => setHours("")} />
      )}
      {!isPending && accounts.data && groups.length > 0 && (
        <Groups
          groups={groups}
          nameOf={(id) => displayName(known, id)}
          isBusy={merges.isPending || isOld}
          merge={merges.mutate}
        />
      )}
      {found.hasNextPage && (
        <Button
          look="quiet"
          aria-disabled={found.isFetchingNextPage}
          onClick={() => found.fetchNextPage()}
          className="justify-self-center"
        >
          {found.isFetchingNextPage ? duplicateWords.loadingMore : duplicateWords.showMore}
        </Button>
      )}
      {found.isFetchNextPageError && (
        <LoadFailed text={duplicateWords.couldNotLoadMore(found.error.message)} retry={() => found.fetchNextPage()} />
      )}
      {found.data?.pages.some(({ isComplete }) => !isComplete) && <Notice tone="info">{duplicateWords.notAll}</Notice>}
    </div>
  );
}

type GroupsProps = {
  groups: SameGroup[];
  nameOf: (accountId: number) => string;
  isBusy: boolean;
  merge: (ready: Ready[]) => void;
};

function Groups({ groups, nameOf, isBusy, merge }: GroupsProps) {
  const [choice, setChoice] = useState(nothing);
  const [asked, setAsked] = useState<Ready[]>();
  const nowMs = useNow(60_000);
  const merges = groups.map(({ schedules: group }) => {
    const input = mergeInputFor(choice, group);
    return input && { input, posts: group.filter(({ id }) => input.ids.includes(id)) };
  });
  const plans = usePlans(merges, isBusy);
  const readyOf = groups.map(({ schedules: group }, index): Ready[] => {
    const [input, report, known] = [merges[index]?.input, plans[index]?.report, { group, nameOf }];
    const isReady = input && report && mergeProblemWords(report, known).length === 0;
    return isReady ? [{ name: nameOfGroup(group), input, losses: lossWords(report, known) }] : [];
  });
  const ready = readyOf.flat();
  const everyId = groups.flatMap(({ schedules }) => schedules.map(({ id }) => id));
  const ticked = everyId.filter((id) => choice.ticked.has(id)).length;
  const isOff = isBusy || ready.length === 0;
  return (
    <>
      {groups.length > 1 && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <TickAll
            label={duplicateWords.allGroups(groups.length)}
            isOn={ticked === everyId.length}
            isPartly={ticked > 0 && ticked < everyId.length}
            onChange={(isOn) => setChoice(tick(choice, everyId, isOn))}
          />
          <Button aria-disabled={isOff} onClick={() => isOff || setAsked(ready)}>
            {isBusy ? duplicateWords.merging : mergeAllWords(ready)}
          </Button>
        </div>
      )}
      {asked && (
        <MergeWindow
          ready={asked}
          close={() => setAsked(undefined)}
          merge={() => {
            setAsked(undefined);
            merge(asked);
          }}
        />
      )}
      <ul aria-label={duplicateWords.groups} className="grid gap-4">
        {groups.map(({ schedules, more }, index) => (
          <li key={schedules[0]?.id}>
            <DuplicateGroupCard
              group={schedules}
              more={more}
              choice={choice}
              plan={plans[index]}
              nameOf={nameOf}
              nowMs={nowMs}
              isBusy={isBusy}
              change={setChoice}
              merge={() => merge(readyOf[index] ?? [])}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function Results({ outcomes }: { outcomes: MergeOutcome[] }) {
  return (
    <ul className="grid gap-2">
      {outcomes.map(({ name, input, ...outcome }) => (
        <li key={input.keep}>
          <Notice tone={outcome.isUnknown ? "warn" : outcome.error ? "wrong" : "good"}>
            <span className="wrap-anywhere line-clamp-2 font-medium">{name}</span>
            {outcomeWords(outcome, input.ids.length)}{" "}
            <Link href={`/posts/${input.keep}`} className="underline">
              {duplicateWords.seeIt}
              <span className="sr-only"> ({name.slice(0, 80)})</span>
            </Link>
          </Notice>
        </li>
      ))}
    </ul>
  );
}

function None({ isAnyTime, lookFurther }: { isAnyTime: boolean; lookFurther: () => void }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-muted">{isAnyTime ? duplicateWords.noneAtAll : duplicateWords.noneSoNear}</p>
      {isAnyTime ? (
        <Link href="/posts" className={buttonClass("quiet")}>
          {duplicateWords.backToPosts}
        </Link>
      ) : (
        <Button look="quiet" onClick={lookFurther}>
          {duplicateWords.lookAtAnyTime}
        </Button>
      )}
    </div>
  );
}
