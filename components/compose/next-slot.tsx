"use client";
import { type ReactNode, useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useNextSlots } from "../api/next-slots";
import { Link } from "../ui/link";
import type { Draft } from "./draft";
import { timeLine } from "./time-of";
import { composeWords } from "./words";

type Props = { form: UseFormReturn<Draft>; accountIds: string[]; nowMs: number };

/** The next time of the chosen accounts' queues that is free for all of them, which the draft takes; or why there is none. */
export function NextSlot({ form, accountIds, nowMs }: Props) {
  const hasAccounts = accountIds.length > 0;
  const { data, error } = useNextSlots({ accountIds, match: "all", count: 1 }, hasAccounts);
  const slot = data?.items[0]?.time ?? "";
  useEffect(() => {
    if (form.getValues("slot") !== slot) form.setValue("slot", slot);
  }, [form, slot]);

  function says(): ReactNode {
    if (!hasAccounts) return composeWords.slotOfAccounts;
    if (slot) return timeLine(new Date(slot), nowMs);
    if (error) return composeWords.slotNotLookedUp(error.message);
    if (!data) return composeWords.lookingForSlot;
    return data.accountIds.length === 0 ? composeWords.noTimes : composeWords.noCommonTime;
  }
  return (
    <div className="mt-3 text-sm">
      <p role="status" className="text-muted">
        {says()}
      </p>
      {data && !slot && (
        <Link
          href={`/accounts/${accountIds[0]}/queue`}
          target="_blank"
          className="inline-flex min-h-11 items-center text-accent underline"
        >
          {composeWords.giveTimes}
        </Link>
      )}
    </div>
  );
}
