"use client";
import { memo, type ReactNode, useEffect } from "react";
import { useNextSlots } from "../../api/slots";
import { dateAndTime, fromLocalField, toLocalField } from "../../time/format";
import { clockChangeAt, zoneNameAt } from "../../time/zone";
import { Link } from "../../ui/link";
import type { Draft } from "../draft/draft";
import type { EditDraft } from "../draft/use-autosave";
import { composeWords } from "../words";
import { nextHour, timeLine } from "./time-of";

type Props = { edit: EditDraft; nowMs: number } & Pick<Draft, "when" | "slot" | "at" | "accountIds">;

const CHOICES = [
  ["now", composeWords.now],
  ["next", composeWords.nextSlot],
  ["later", composeWords.pickTime],
] as const;

/** Now, the next free time, or a chosen time, with the time zone and notes on clock changes. */
export const WhenField = memo(function WhenField({ edit, when, slot, at, accountIds, nowMs }: Props) {
  return (
    <>
      <fieldset className="flex rounded-lg bg-sunk p-0.5 max-sm:w-full">
        <legend className="sr-only">{composeWords.when}</legend>
        {CHOICES.map(([value, name]) => (
          <label
            key={value}
            className="relative grid min-h-9 flex-1 cursor-pointer place-items-center whitespace-nowrap rounded-md px-3 text-muted text-sm has-checked:bg-surface has-checked:font-semibold has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-3 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="when"
              value={value}
              checked={when === value}
              onChange={() => edit((draft) => ({ ...draft, when: value, at: draft.at || nextHour(nowMs) }))}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {name}
          </label>
        ))}
      </fieldset>
      {when === "next" && <NextSlot {...{ edit, slot, accountIds, nowMs }} />}
      {when === "later" && (
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm max-sm:w-full">
          <label htmlFor="at" className="sr-only">
            {composeWords.dateAndTime}
          </label>
          <input
            id="at"
            type="datetime-local"
            min={toLocalField(new Date(nowMs))}
            value={at}
            aria-describedby="zone"
            onChange={({ target }) => edit((draft) => ({ ...draft, at: target.value }))}
            className="min-h-10 rounded-lg border border-edge bg-surface px-2.5 max-sm:w-full"
          />
          <div id="zone" className="min-w-0 text-muted">
            <p className="max-xl:sr-only">{timeLine(fromLocalField(at), nowMs)}</p>
            <ClockNote at={at} />
          </div>
        </div>
      )}
    </>
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

type NextSlotProps = Pick<Props, "edit" | "slot" | "accountIds" | "nowMs">;

/** Takes the next time that is free for all chosen accounts, or shows why there is none. */
function NextSlot({ edit, slot, accountIds, nowMs }: NextSlotProps) {
  const hasAccounts = accountIds.length > 0;
  const { data, error } = useNextSlots({ accountIds, match: "all", count: 1 }, hasAccounts);
  const found = data?.items[0]?.time ?? "";
  useEffect(() => {
    if (slot !== found) edit((draft) => ({ ...draft, slot: found }), false);
  }, [edit, slot, found]);

  function says(): ReactNode {
    if (!hasAccounts) return composeWords.slotOfAccounts;
    if (found) return timeLine(new Date(found), nowMs);
    if (error) return composeWords.slotNotLookedUp;
    if (!data) return composeWords.lookingForSlot;
    return data.accountIds.length === 0 ? composeWords.noTimes : composeWords.noCommonTime;
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm">
      <p role="status" className="text-muted">
        {says()}
      </p>
      {data && !found && (
        <Link href={`/accounts/${accountIds[0]}/queue`} target="_blank" className="min-h-9 py-2 text-accent underline">
          {composeWords.giveTimes}
        </Link>
      )}
    </div>
  );
}
