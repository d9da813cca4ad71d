"use client";
import { memo, type ReactNode, useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useNextSlots } from "../../api/slots";
import { dateAndTime, fromLocalField, toLocalField } from "../../time/format";
import { clockChangeAt, zoneNameAt } from "../../time/zone";
import { Link } from "../../ui/link";
import type { Draft } from "../draft/draft";
import { composeWords } from "../words";
import { timeLine } from "./time-of";

type Props = { form: UseFormReturn<Draft>; nowMs: number } & Pick<Draft, "when" | "at" | "accountIds">;

const choice =
  "flex min-h-12 flex-1 basis-40 cursor-pointer items-center gap-3 rounded-xl border border-edge px-4 has-checked:border-accent has-checked:bg-accent-soft";

/** Now, the next free slot, or a chosen time, with the time zone and notes on clock changes. */
export const WhenField = memo(function WhenField({ form, when, at, accountIds, nowMs }: Props) {
  const later = form.register("when", { onChange: () => at || form.setValue("at", toLocalField(nextHour(nowMs))) });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">{composeWords.when}</legend>
      <div className="flex flex-wrap gap-2">
        <label className={choice}>
          <input type="radio" value="now" {...later} className="size-5 accent-(--accent)" /> {composeWords.now}
        </label>
        <label className={choice}>
          <input type="radio" value="next" {...later} className="size-5 accent-(--accent)" /> {composeWords.nextSlot}
        </label>
        <label className={choice}>
          <input type="radio" value="later" {...later} className="size-5 accent-(--accent)" /> {composeWords.pickTime}
        </label>
      </div>
      {when === "next" && <NextSlot form={form} accountIds={accountIds} nowMs={nowMs} />}
      {when === "later" && (
        <div className="mt-3 grid gap-1">
          <label htmlFor="at" className="font-medium text-sm">
            {composeWords.dateAndTime}
          </label>
          <input
            id="at"
            type="datetime-local"
            min={toLocalField(new Date(nowMs))}
            aria-describedby="zone"
            {...form.register("at")}
            className="min-h-11 w-full max-w-72 rounded-lg border border-edge bg-surface px-3 py-2"
          />
          <div id="zone" className="grid gap-1 text-sm">
            <p className="text-muted">{timeLine(fromLocalField(at), nowMs)}</p>
            <ClockNote at={at} />
          </div>
        </div>
      )}
    </fieldset>
  );
});

function ClockNote({ at }: { at: string }) {
  const change = clockChangeAt(at);
  const instant = fromLocalField(at);
  if (!change || !instant) return null;
  const says =
    change === "skipped" ? composeWords.timeSkipped(dateAndTime(instant)) : composeWords.timeTwice(zoneNameAt(instant));
  return <p className="text-warn">{says}</p>;
}

function nextHour(nowMs: number): Date {
  return new Date(Math.ceil((nowMs + 60_000) / 3_600_000) * 3_600_000);
}

type NextSlotProps = { form: UseFormReturn<Draft>; accountIds: string[]; nowMs: number };

/** Takes the next slot that is free in all chosen queues, or shows why there is none. */
function NextSlot({ form, accountIds, nowMs }: NextSlotProps) {
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
