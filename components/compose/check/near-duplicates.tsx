"use client";
import { memo } from "react";
import { NEAR_MS, nearDuplicatesOf } from "@/lib/schedules/near-duplicates";
import { serverNow } from "../../api/client";
import { dateAndTime } from "../../time/format";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import type { Draft } from "../draft/draft";
import { useSchedulesNear } from "../draft/queries";
import { publicationsOf } from "../draft/submission";
import type { Target } from "../targets/targets";
import { timeOf } from "../time/time-of";
import { composeWords } from "../words";
import { targetName } from "./problems";

type Props = { draft: Pick<Draft, "when" | "slot" | "at">; targets: Target[]; besides?: number };

/**
 * Warns if the same text already goes to the same account at about the same time. It may be intended, so it blocks
 * nothing.
 */
export const NearDuplicateNotices = memo(function NearDuplicateNotices({ draft, targets, besides }: Props) {
  const at = draft.when === "now" ? serverNow() : timeOf(draft)?.getTime();
  // The time is rounded to the hour, so that not every picked minute causes a request.
  const hour = at === undefined || targets.length === 0 ? undefined : Math.round(at / 3_600_000) * 3_600_000;
  const { data = [] } = useSchedulesNear(hour, NEAR_MS + 3_600_000);
  if (at === undefined) return null;
  const nearDuplicates = nearDuplicatesOf(
    publicationsOf(targets, ({ path }) => path),
    { at, exceptId: besides },
    data,
  );
  return targets.flatMap((target) => {
    const nearDuplicate = nearDuplicates.find(({ accountId }) => accountId === target.account.id);
    if (!nearDuplicate) return [];
    return (
      <Notice key={target.key} tone="warn">
        {composeWords.sameText(targetName(target), dateAndTime(new Date(nearDuplicate.at)))}{" "}
        <Link href={`/posts/${nearDuplicate.scheduleId}`} className="underline">
          {composeWords.seeThatPost}
        </Link>
      </Notice>
    );
  });
});
