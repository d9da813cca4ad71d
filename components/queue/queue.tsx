"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useId, useState } from "react";
import type { Slot } from "@/lib/time/weekly";
import { callApi, readAnew, serverNow } from "../api/client";
import { everySchedule } from "../api/every-schedule";
import type { MoveOutcome, NotMoved } from "../api/move-all";
import { type ApiQueue, type NewQueue, SLOTS, useNextSlots, type Weekday } from "../api/slots";
import { useBodyForm } from "../api/use-body-form";
import { textsOf } from "../posts/facts";
import { textStart } from "../posts/post-row";
import { dateAndTime } from "../time/format";
import { ownZone, zoneAt, zoneName } from "../time/zone";
import { ZoneSelect } from "../time/zone-field";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { InputField } from "../ui/input-field";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { loadedLater } from "../ui/toast";
import { dayName, readySet, readySetTimes, timeName, withoutSlot, withTime, workdays } from "./week";
import { WeekdayBoxes, WeekList } from "./week-list";
import { queueWords } from "./words";
import { useZoneChange, type ZoneChange, zoneMovesOf } from "./zone-change";

const MOST = 20;
const ZoneWindow = loadedLater(() => import("./zone-window").then(({ ZoneWindow }) => ZoneWindow));

/** Arrow keys step through the zones; a zone counts as chosen after this long. */
const STAYS_MS = 800;

/** The posts that could not be moved, with the reasons. */
function NotMovedList({ notMoved }: { notMoved: NotMoved[] }) {
  if (notMoved.length === 0) return null;
  return (
    <Notice tone="wrong">
      <p>{says(notMoved)}</p>
      <ul className="mt-1 grid list-disc gap-1 pl-5">
        {notMoved.slice(0, MOST).map(({ schedule, why }) => (
          <li key={schedule.id}>
            <WhyNot schedule={schedule} why={why} />
          </li>
        ))}
      </ul>
      {notMoved.length > MOST && <p className="mt-1">{queueWords.zone.more(notMoved.length - MOST)}</p>}
    </Notice>
  );
}

function WhyNot({ schedule, why }: Pick<NotMoved, "schedule" | "why">) {
  const post = (
    <Link href={`/posts/${schedule.id}`} className="underline">
      {textStart(textsOf(schedule)[0] ?? queueWords.zone.noText, 60)}
    </Link>
  );
  if (!schedule.scheduledTime) return <Sentence text={queueWords.zone.whyNot} parts={{ post, why }} />;
  const time = dateAndTime(new Date(schedule.scheduledTime));
  return <Sentence text={queueWords.zone.whyNotAt} parts={{ post, time, why }} />;
}

function says(notMoved: NotMoved[]): string {
  const unknown = notMoved.filter(({ isUnknown }) => isUnknown).length;
  const stayed = notMoved.length - unknown;
  if (stayed === 0) return queueWords.zone.nobodyKnows(unknown);
  return unknown === 0 ? queueWords.zone.notMoved(stayed) : queueWords.zone.notMovedOrUnknown(stayed, unknown);
}

const SHOWN = 5;

/** The queue's next free times, in the reader's time zone. */
function NextTimes({ accountId }: { accountId: number }) {
  const { data } = useNextSlots({ accountIds: [accountId], match: "any", count: SHOWN });
  const [first] = data?.items ?? [];
  if (!data || !first) return null;
  return (
    <section aria-labelledby="next-free">
      <h2 id="next-free" className="font-semibold">
        {queueWords.nextFree}
      </h2>
      <p className="text-muted text-sm">{queueWords.asYourClock(zoneAt(new Date(first.time)))}</p>
      <ol className="mt-2 grid gap-1">
        {data.items.map(({ time }) => (
          <li key={time}>
            <time dateTime={time}>{dateAndTime(new Date(time))}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The weekly times of an account; every change is saved at once. */
export function QueueEditor({ accountId }: { accountId: number }) {
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
        <EmptyState picture="times" title={queueWords.noTimesYet} text={queueWords.startWith(readySetTimes())}>
          <Button look="quiet" onClick={() => keep({ slots: readySet }, queueWords.readySetAdded(readySetTimes()))}>
            {queueWords.addReadySet(readySetTimes())}
          </Button>
        </EmptyState>
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

type Props = { value: string; onChange: (zone: string) => void };

/** The time zone of a queue. */
function ZonePicker({ value, onChange }: Props) {
  const id = useId();
  const own = ownZone();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {queueWords.timeZone}
      </label>
      <ZoneSelect
        id={id}
        known={value}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className="text-muted text-sm">
        {queueWords.readInIt} {value !== own && `${queueWords.ownClock(zoneName(own))} `}
        {queueWords.plannedStays}
      </p>
    </div>
  );
}

const keyOf = (accountId: number) => ["queue", accountId];
const pathOf = (accountId: number) => `/v1/accounts/${accountId}/slots`;

/** The weekly times of an account. */
function useQueue(accountId: number) {
  return useQuery({
    queryKey: keyOf(accountId),
    queryFn: ({ signal }) => callApi<ApiQueue>(pathOf(accountId), { signal }),
  });
}

/**
 * Replaces an account's queue. Shown at once and reverted on failure. Requests run one after the other, so the last
 * one wins.
 */
function useSetQueue(accountId: number) {
  const cache = useQueryClient();
  const key = keyOf(accountId);
  const isLast = () => cache.isMutating({ mutationKey: key }) === 1;
  return useMutation({
    mutationKey: key,
    scope: { id: key.join(" ") },
    mutationFn: (queue: NewQueue) => callApi<ApiQueue>(pathOf(accountId), { method: "PUT", body: queue }),
    onMutate: async (queue) => {
      await cache.cancelQueries({ queryKey: key });
      const before = cache.getQueryData<ApiQueue>(key);
      cache.setQueryData<ApiQueue>(key, queue);
      return { before };
    },
    onError: (_error, _queue, context) => {
      if (isLast()) cache.setQueryData(key, context?.before);
    },
    onSettled: async () => {
      if (!isLast()) return;
      await readAnew(cache, { queryKey: key }, { queryKey: SLOTS });
    },
  });
}

type AddTimeProps = { timeZone: string; slots: Slot[]; onAdd: (days: Weekday[], time: string) => void };
type NewTime = { days: Weekday[]; time: string };

/** Adds one time on the ticked days. */
function AddTime({ timeZone, slots, onAdd }: AddTimeProps) {
  const id = useId();
  const { form, at, submit, refusal } = useBodyForm<NewTime>({
    defaultValues: { days: workdays, time: "" },
    fields: ["days", "time"],
    schema: async () => (await import("@/lib/api/bodies/queue")).QueueBody,
    bodyOf: ({ days, time }) => ({ timeZone, slots: withTime(slots, days, time) }),
    fieldOf: (path) => (path.startsWith("slots") ? "time" : undefined),
    lacksOf: (values) => lacksOf(slots, values),
    send: ({ days, time }) => {
      onAdd(days, time);
      form.reset({ days, time: "" });
    },
  });
  return (
    <form onSubmit={submit} noValidate aria-labelledby={`${id}-title`} className="grid gap-4">
      <h2 id={`${id}-title`} className="font-semibold">
        {queueWords.addTime}
      </h2>
      <WeekdayBoxes at={at("days")} />
      <div className="flex flex-wrap items-start gap-3">
        <InputField label={queueWords.time} type="time" at={at("time")} />
        <Button type="submit" className="mt-6">
          {queueWords.add}
        </Button>
      </div>
      {refusal && (
        <p role="alert" className="text-wrong">
          {refusal}
        </p>
      )}
    </form>
  );
}

function lacksOf(slots: Slot[], { days, time }: NewTime) {
  if (time === "") return { time: queueWords.giveTime, ...(days.length === 0 && { days: queueWords.tickDay }) };
  if (days.length === 0) return { days: queueWords.tickDay };
  return withTime(slots, days, time).length === slots.length ? { time: queueWords.isThere } : {};
}

type ZoneQuestionProps = {
  accountId: number;
  slots: Slot[];
  change: ZoneChange;
  /** Postponed with Escape; asked again after the next change of zone. */
  putOff: () => void;
  /** Answered, or there was nothing to ask. */
  end: (outcome?: MoveOutcome) => void;
};

/** After a change of time zone, asks whether planned posts move, if there are any. */
function ZoneQuestion({ accountId, slots, change, putOff, end }: ZoneQuestionProps) {
  const [isMeant, setMeant] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setMeant(true), STAYS_MS);
    return () => clearTimeout(timer);
  }, []);
  const found = useQuery({
    // Loaded once, so that the question does not change while it is shown.
    queryKey: ["planned at", accountId, change],
    queryFn: async ({ signal }) => {
      const wanted = { from: new Date(serverNow()).toISOString(), accountId: String(accountId) };
      const { items, isCut } = await everySchedule(wanted, signal);
      return { ...zoneMovesOf(items, slots, { ...change, nowMs: serverNow() }), isCut };
    },
    enabled: isMeant,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isNone = found.data?.moves.length === 0 && found.data.past.length === 0;
  const endNone = useEffectEvent(() => end());
  useEffect(() => {
    if (isNone) endNone();
  }, [isNone]);
  if (found.error) return <LoadFailed text={queueWords.zone.couldNotLoad(found.error.message)} retry={found.refetch} />;
  if (isNone) return null;
  if (!found.data)
    return (
      <p role="status" className="text-muted empty:-mb-8">
        {isMeant && queueWords.zone.looking}
      </p>
    );
  return <ZoneWindow accountId={accountId} found={found.data} change={change} close={putOff} end={end} />;
}
