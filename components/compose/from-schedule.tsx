"use client";
import { useState } from "react";
import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { canChange } from "../posts/facts";
import { buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { LoadFailed } from "../ui/load-failed";
import { Notice } from "../ui/notice";
import { SkeletonRows } from "../ui/skeleton";
import type { Purpose } from "./begin";
import { begunFrom } from "./begun-from";
import { Composer } from "./composer";
import { type Original, useOriginal } from "./queries";
import { composeWords } from "./words";

type Props = { id: number; isCopy: boolean; userId: string; accounts: Account[]; networks: NetworkFacts[] };

/** The composer with a schedule in it, to be changed or copied; or why that cannot be done here. */
export function FromSchedule({ id, isCopy, userId, accounts, networks }: Props) {
  const original = useOriginal(id);
  // What is being written must not change under the hand when the schedule is read again.
  const [purpose, setPurpose] = useState<Purpose | string>();
  const [round, setRound] = useState(0);
  if (original.error)
    return <LoadFailed text={composeWords.couldNotLoadPost(original.error.message)} retry={() => original.refetch()} />;
  if (!original.data) return <SkeletonRows label={composeWords.loadingPost} rows={3} height="h-40" />;
  if (purpose === undefined) {
    setPurpose(purposeOf(original.data, { isCopy, userId, accounts, networks }));
    return null;
  }
  function begin(from: Original) {
    setPurpose(purposeOf(from, { isCopy: false, userId, accounts, networks }));
    setRound((before) => before + 1);
  }
  if (typeof purpose !== "string") {
    return <Composer key={round} accounts={accounts} networks={networks} purpose={purpose} beginFrom={begin} />;
  }
  return (
    <div className="grid justify-items-start gap-4">
      <Notice tone="warn">{purpose}</Notice>
      <Link href={`/posts/${id}`} className={buttonClass("quiet")}>
        {composeWords.backToPost}
      </Link>
    </div>
  );
}

function purposeOf(
  { schedule, tag, files }: Original,
  { isCopy, userId, accounts, networks }: Omit<Props, "id">,
): Purpose | string {
  if (!isCopy && !canChange(schedule)) return composeWords.hasBegun;
  const begun = begunFrom(schedule, { accounts, networks, files });
  if (!begun) return composeWords.cannotShowAll;
  if (isCopy) return { kind: "copy", userId, begun };
  return { kind: "edit", userId, id: schedule.id, tag, isDraft: schedule.overallStatus === "DRAFT", begun };
}
