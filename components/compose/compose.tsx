"use client";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useAccounts } from "../api/queries";
import type { ApiAccount } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { draftOfEntry, isOnlyHere, loadVersion, sayOnlyHere } from "./draft/local-storage";
import type { WaysOutWords } from "./draft/words";
import { composePageWords } from "./page-words";

// Loaded on demand. Both come from one module, so that their code is not bundled twice. They are drawn only in the browser, where
// the draft is stored, because only the browser loads the accounts.
const composer = () => import("./from-schedule");
const Composer = lazy(() => composer().then(({ Composer }) => ({ default: Composer })));
const FromSchedule = lazy(() => composer().then(({ FromSchedule }) => ({ default: FromSchedule })));

/** The openings of new posts that were left: only "Back" and "Forward" open the page with one of them again. */
const left = new Set<string>();

type Props = {
  networks: NetworkFacts[];
  words: WaysOutWords;
  userId: string;
  /** A preselected time, in the format of a `datetime-local` field. */
  at?: string;
  /** Whether any account has posting times; then the next free time is preselected. */
  hasQueue: boolean;
  /** The schedule to edit or copy. */
  from?: { id: number; isCopy: boolean };
  /** Another value each time the page is opened, also from itself. */
  opening: string;
};

export function Compose({ from: asked, opening, ...given }: Props) {
  const accounts = useAccounts();
  // A link within the site starts a new post. Loading or reloading the address continues the one that was being written.
  const isByLink = useIsHydrated();
  const [first] = useState({ opening, isByLink: isByLink && !left.has(opening) });
  // Another post may have been begun since. Then the draft is read from where it is stored.
  const [begun] = useState(() => {
    const id = left.has(opening) ? draftOfEntry() : undefined;
    return id && loadVersion(given.userId)?.id !== id ? { id, isCopy: false } : undefined;
  });
  const from = asked ?? (opening === first.opening ? begun : undefined);
  const editing = <h1 className="text-xl">{composePageWords.change}</h1>;
  const heading = asked && !asked.isCopy ? editing : <h1 className="text-xl">{composePageWords.writeTitle}</h1>;
  if (accounts.error && !accounts.data)
    return (
      <div className="grid gap-8">
        {heading}
        <LoadFailed
          text={composePageWords.couldNotLoadAccounts(accounts.error.message)}
          retry={() => accounts.refetch()}
        />
      </div>
    );
  const loading = (
    <div className="grid gap-8">
      {heading}
      <SkeletonRows label={composePageWords.loading} rows={3} height="h-40" />
    </div>
  );
  if (!accounts.data) return loading;
  const known = { accounts: accounts.data, heading, ...given };
  return (
    <Suspense fallback={loading}>
      {from ? (
        <FromSchedule key={`${from.id} ${from.isCopy}`} {...from} {...known} editing={editing} />
      ) : (
        <NewPost {...known} opening={opening} isFresh={first.isByLink || opening !== first.opening} />
      )}
    </Suspense>
  );
}

type NewPostProps = Omit<Props, "from"> & { accounts: ApiAccount[]; heading: ReactNode; isFresh: boolean };

/** A new post, and the next one when the page is opened again from itself. */
function NewPost({ accounts, networks, words, heading, userId, at, hasQueue, opening, isFresh }: NewPostProps) {
  const [shown, setShown] = useState({ opening, round: 0, isFresh });
  const saver = useRef<() => Promise<unknown>>(undefined);
  useEffect(() => () => void left.add(opening), [opening]);
  // Whoever presses "New post" wants to write. On a phone, the keyboard would cover the rest of the page.
  useEffect(() => {
    if (shown.isFresh && matchMedia("(pointer: fine)").matches) document.querySelector("textarea")?.focus();
  }, [shown]);
  useEffect(() => {
    if (opening === shown.opening) return;
    void saver.current?.().then(() => {
      if (isOnlyHere(userId)) sayOnlyHere();
      setShown(({ round }) => ({ opening, round: round + 1, isFresh: true }));
    });
  }, [opening, shown.opening, userId]);
  return (
    <Composer
      key={shown.round}
      {...{ accounts, networks, words, heading, saver }}
      purpose={{ kind: "new", userId, at, hasQueue, isFresh: shown.isFresh }}
      beginAnew={() => setShown({ ...shown, round: shown.round + 1, isFresh: false })}
    />
  );
}
