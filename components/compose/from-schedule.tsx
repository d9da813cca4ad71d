"use client";
import { type ReactNode, useState } from "react";
import type { ApiAccount } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { canChange } from "../posts/facts";
import { buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { PostNotLoaded, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { Composer } from "./composer";
import { draftFromSchedule } from "./draft/from-schedule";
import { type OriginalSchedule, useOriginal } from "./draft/queries";
import { type DraftSource, forgetChanges, withChanges } from "./draft/source";
import type { WaysOutWords } from "./draft/words";
import { composeWords } from "./words";

export { Composer };

type FromScheduleProps = {
  id: number;
  isCopy: boolean;
  userId: string;
  hasQueue: boolean;
  heading: ReactNode;
  /** The heading if the post is planned. "Back" also opens a draft that was planned since. */
  editing: ReactNode;
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  words: WaysOutWords;
};

/** The composer for an existing schedule, to edit or copy; or the reason why that is impossible. */
export function FromSchedule({ id, heading, editing, words, ...known }: FromScheduleProps) {
  const { userId, accounts, networks } = known;
  const original = useOriginal(id);
  // Kept in state, because a refetch must not change the draft that is being edited.
  const [purpose, setPurpose] = useState<DraftSource | string>();
  const [round, setRound] = useState(0);
  if (!original.data) {
    return (
      <div className="grid gap-8">
        {heading}
        {original.error ? (
          <PostNotLoaded error={original.error} retry={() => original.refetch()} />
        ) : (
          <SkeletonRows label={composeWords.loadingPost} rows={3} height="h-40" />
        )}
      </div>
    );
  }
  if (purpose === undefined) {
    setPurpose(purposeOf(original.data, known));
    return null;
  }
  function begin(from: OriginalSchedule) {
    forgetChanges({ userId, id });
    setPurpose(purposeOf(from, { ...known, isCopy: false }));
    setRound((before) => before + 1);
  }
  if (typeof purpose !== "string") {
    const isPlanned = purpose.kind === "edit" && !purpose.isDraft;
    const shown = { accounts, networks, words, purpose, heading: isPlanned ? editing : heading };
    return <Composer key={round} {...shown} beginFrom={begin} />;
  }
  return (
    <div className="grid justify-items-start gap-4">
      {heading}
      <Notice tone="warn">{purpose}</Notice>
      <Link href={`/posts/${id}`} className={buttonClass("quiet")}>
        {composeWords.backToPost}
      </Link>
    </div>
  );
}

function purposeOf(
  { schedule, tag, files }: OriginalSchedule,
  { isCopy, userId, hasQueue, accounts, networks }: Omit<FromScheduleProps, "id" | "heading" | "editing" | "words">,
): DraftSource | string {
  if (!isCopy && !canChange(schedule)) {
    forgetChanges({ userId, id: schedule.id });
    return composeWords.hasBegun;
  }
  const begun = draftFromSchedule(schedule, { accounts, networks, files });
  if (!begun) return composeWords.cannotShowAll;
  if (isCopy) return { kind: "copy", userId, hasQueue, begun };
  return withChanges({ userId, id: schedule.id, tag, isDraft: schedule.overallStatus === "DRAFT", begun });
}
