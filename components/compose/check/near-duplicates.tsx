"use client";
import { memo } from "react";
import { NEAR_MS, nearDuplicatesOf } from "@/lib/schedules/near-duplicates";
import { serverNow } from "../../api/clock";
import { dateAndTime } from "../../time/format";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import type { Draft } from "../draft/draft";
import { useNear } from "../draft/queries";
import { publicationsOf } from "../draft/submission";
import type { Target } from "../targets/targets";
import { timeOf } from "../time/time-of";
import { composeWords } from "../words";
import { whose } from "./problems";

type Props = { draft: Pick<Draft, "when" | "slot" | "at">; targets: Target[]; besides?: number };

/** Says where the same text already goes to the same account near the same time. It may be meant, so it stops nobody. */
export const TwinNotices = memo(function TwinNotices({ draft, targets, besides }: Props) {
  const at = draft.when === "now" ? serverNow() : timeOf(draft)?.getTime();
  // One question an hour, not one for every minute that passes or is picked.
  const hour = at === undefined || targets.length === 0 ? undefined : Math.round(at / 3_600_000) * 3_600_000;
  const { data = [] } = useNear(hour, NEAR_MS + 3_600_000);
  if (at === undefined) return null;
  const twins = nearDuplicatesOf(
    publicationsOf(targets, ({ path }) => path),
    { at, besides },
    data,
  );
  return targets.flatMap((target) => {
    const twin = twins.find(({ accountId }) => accountId === target.account.id);
    if (!twin) return [];
    return (
      <Notice key={target.key} tone="warn">
        {composeWords.sameText(whose(target), dateAndTime(new Date(twin.at)))}{" "}
        <Link href={`/posts/${twin.scheduleId}`} className="underline">
          {composeWords.seeThatPost}
        </Link>
      </Notice>
    );
  });
});
