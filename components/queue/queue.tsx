"use client";
import { useState } from "react";
import type { Slot } from "@/lib/time/weekly";
import { useQueue, useSetQueue, type Weekday } from "../api/slots";
import { ownZone, zoneName } from "../time/zone";
import { Button } from "../ui/button";
import { LoadFailed } from "../ui/load-failed";
import { Notice } from "../ui/notice";
import { SkeletonRows } from "../ui/skeleton";
import { AddTime } from "./add-time";
import { NextTimes } from "./next-times";
import { NotMovedList } from "./not-moved";
import { useZoneChange } from "./use-zone-change";
import { dayName, readySet, timeName, withoutSlot, withTime } from "./week";
import { WeekList } from "./week-list";
import { queueWords } from "./words";
import { ZonePicker } from "./zone-picker";
import { ZoneQuestion } from "./zone-question";

/** When an account likes to post. Every change is kept as it is made. */
export function Queue({ accountId }: { accountId: number }) {
  const queue = useQueue(accountId);
  const set = useSetQueue(accountId);
  const [done, setDone] = useState("");
  const zone = useZoneChange();
  if (queue.isPending) return <SkeletonRows label={queueWords.loading} rows={7} height="h-12" />;
  if (!queue.data)
    return <LoadFailed text={queueWords.couldNotLoad(queue.error.message)} retry={() => queue.refetch()} />;
  const { slots } = queue.data;
  const timeZone = queue.data.timeZone ?? ownZone();

  function keep(wanted: { timeZone?: string; slots?: Slot[] }, says: string) {
    setDone(says);
    set.mutate({ timeZone, slots, ...wanted });
  }
  function add(days: Weekday[], time: string) {
    keep({ slots: withTime(slots, days, time) }, queueWords.added(timeName(time), days.map(dayName).join(", ")));
  }
  function remove(slot: Slot) {
    keep({ slots: withoutSlot(slots, slot) }, queueWords.removed(dayName(slot.weekday), timeName(slot.time)));
  }
  function readIn(wanted: string) {
    if (slots.length > 0) zone.note({ from: timeZone, to: wanted });
    keep({ timeZone: wanted }, queueWords.nowReadIn(zoneName(wanted)));
  }
  return (
    <div className="grid gap-8">
      <ZonePicker value={timeZone} onChange={readIn} />
      {zone.asked?.to === timeZone && !set.isPending && (
        <ZoneQuestion accountId={accountId} slots={slots} change={zone.asked} putOff={zone.putOff} end={zone.end} />
      )}
      <NotMovedList notMoved={zone.notMoved} />
      {slots.length === 0 && (
        <Notice
          tone="info"
          action={
            <Button look="quiet" onClick={() => keep({ slots: readySet }, queueWords.readySetAdded)}>
              {queueWords.useReadySet}
            </Button>
          }
        >
          {queueWords.noTimesYet}
        </Notice>
      )}
      <WeekList slots={slots} onRemove={remove} />
      <AddTime timeZone={timeZone} slots={slots} onAdd={add} />
      {set.isError ? (
        <p role="alert" className="text-wrong">
          {queueWords.notKept(set.error.message)}
        </p>
      ) : (
        <p role="status" className="text-muted text-sm">
          {set.isPending ? queueWords.keeping : set.isSuccess && done}
        </p>
      )}
      {slots.length > 0 && <NextTimes accountId={accountId} />}
    </div>
  );
}
