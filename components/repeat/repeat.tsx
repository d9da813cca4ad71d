"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { callApi, readAnew, serverNow } from "../api/client";
import { useSchedule } from "../api/queries";
import type { ApiSchedule } from "../api/types";
import { useBodyForm } from "../api/use-body-form";
import { textsOf } from "../posts/facts";
import { ownZone, zoneName } from "../time/zone";
import { Button } from "../ui/button";
import { ArrowLeft } from "../ui/icons";
import { Link } from "../ui/link";
import { PostNotLoaded, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { say } from "../ui/toast";
import { type ApiRepeatReport, closeWords, notesOn, offsetWords, whenWords } from "./dates";
import { RepeatForm } from "./repeat-form";
import { type RepeatDraft, type RepeatFormInput, repeatBodyForm, repeatDraftFor, repeatInputFor } from "./repeat-input";
import { repeatWords } from "./words";

const pathOf = (id: string) => `/v1/posts/${encodeURIComponent(id)}/repeat`;

/** A dry run that returns the dates; earlier ones stay while new ones are loading. */
function useDates(id: string, input: RepeatFormInput | undefined) {
  return useQuery({
    queryKey: ["repeat", id, input],
    queryFn: ({ signal }) =>
      callApi<ApiRepeatReport>(`${pathOf(id)}?dryRun=true`, { method: "POST", body: input, signal }),
    enabled: input !== undefined,
    placeholderData: (before) => before,
    retry: false,
  });
}

/** Creates the schedules, once per key. */
function useRepeat(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ input, key }: { input: RepeatFormInput; key: string }) =>
      callApi<ApiRepeatReport>(pathOf(id), { method: "POST", body: input, idempotencyKey: key }),
    onSuccess: () => readAnew(cache, { queryKey: ["schedules"] }),
  });
}

/** Repeats a post on many dates: shows them first, then creates them. */
export function RepeatPost({ id }: { id: string }) {
  const schedule = useSchedule(id);
  return (
    <div className="grid max-w-2xl gap-6">
      <Link
        href={`/posts/${id}`}
        className="inline-flex min-h-8 items-center gap-2 justify-self-start text-accent underline"
      >
        <ArrowLeft aria-hidden className="size-4" /> {repeatWords.backToPost}
      </Link>
      <h1 className="text-2xl">{repeatWords.title}</h1>
      {schedule.isPending && <SkeletonRows label={repeatWords.loading} rows={2} height="h-44" />}
      {schedule.isError && !schedule.data && <PostNotLoaded error={schedule.error} retry={() => schedule.refetch()} />}
      {schedule.data && <Planner id={id} schedule={schedule.data} />}
    </div>
  );
}

function Planner({ id, schedule }: { id: string; schedule: ApiSchedule }) {
  const router = useRouter();
  const [begun] = useState(() => repeatDraftFor(schedule, ownZone(), serverNow()));
  const [asked, setAsked] = useState<RepeatDraft>();
  const [leaveOut, setLeaveOut] = useState<string[]>([]);
  const [isLast, setLast] = useState(false);
  const input = useMemo(() => asked && repeatInputFor(asked, leaveOut), [asked, leaveOut]);
  // One key per input: pressing twice creates once, and a new input is a new request.
  const key = useMemo(() => input && crypto.randomUUID(), [input]);
  const dates = useDates(id, input);
  const repeat = useRepeat(id);
  const [text = repeatWords.noText] = textsOf(schedule);

  const writing = useBodyForm({
    ...repeatBodyForm,
    defaultValues: begun,
    send: (draft) => {
      setLeaveOut([]);
      setAsked(draft);
    },
  });
  const showError = useEffectEvent(writing.showError);
  useEffect(() => {
    if (dates.error) showError(dates.error);
  }, [dates.error]);

  function change() {
    setAsked(undefined);
    setLast(false);
    writing.form.clearErrors("root");
  }
  function leave(these: string[]) {
    const isAll = these.length === dates.data?.dates.length;
    setLast(isAll);
    if (!isAll) setLeaveOut(these);
  }
  function create() {
    if (!input || !key || repeat.isPending) return;
    const onSuccess = ({ counts }: { counts: { created: number } }) => {
      say((toast) => toast.success(repeatWords.created(counts.created)));
      router.push("/posts");
    };
    repeat.mutate({ input, key }, { onSuccess });
  }
  return (
    <>
      <p className="line-clamp-3 whitespace-pre-line border-line border-l-2 pl-3 text-muted">{text}</p>
      <RepeatForm writing={writing} zone={begun.timeZone} change={change} />
      {repeat.error && (
        <p role="alert" className="text-wrong">
          {repeat.error.message}
        </p>
      )}
      {asked && dates.data && !dates.error && (
        <section aria-labelledby="dates" className="grid gap-4">
          <h2 id="dates" aria-live="polite" className="font-semibold text-lg">
            {repeatWords.toCreate(dates.data.counts.ready)}
          </h2>
          <p className="text-muted text-sm">{repeatWords.timesOf(zoneName(asked.timeZone))}</p>
          {dates.data.problems.map(({ message, severity }) => (
            <Notice key={message} tone={severity ? "warn" : "wrong"}>
              {message}
            </Notice>
          ))}
          {closeWords(dates.data) && <Notice tone="warn">{closeWords(dates.data)}</Notice>}
          <DateList report={dates.data} time={asked.time} leaveOut={leaveOut} onChange={leave} />
          {isLast && (
            <p role="alert" className="text-wrong">
              {repeatWords.oneHasToStay}
            </p>
          )}
          <Button
            className="justify-self-start"
            aria-disabled={repeat.isPending || dates.data.problems.some(({ severity }) => !severity)}
            onClick={create}
          >
            {repeat.isPending ? repeatWords.creating : repeatWords.create(dates.data.counts.ready)}
          </Button>
        </section>
      )}
    </>
  );
}

type Props = { report: ApiRepeatReport; time: string; leaveOut: string[]; onChange: (leaveOut: string[]) => void };

/** The dates with notes; an unticked date is left out. */
function DateList({ report, time, leaveOut, onChange }: Props) {
  return (
    <ul aria-label={repeatWords.dates} className="divide-y divide-line rounded-2xl border border-line bg-surface">
      {report.dates.map((one, index) => {
        const isKept = !leaveOut.includes(one.date);
        const notes = isKept ? notesOn(one, report.dates[index - 1], time) : [repeatWords.leftOut];
        const id = `date-${one.date}`;
        return (
          <li key={one.date} className="px-4 py-2">
            <label className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                checked={isKept}
                aria-describedby={notes.length > 0 ? id : undefined}
                onChange={() =>
                  onChange(isKept ? [...leaveOut, one.date] : leaveOut.filter((date) => date !== one.date))
                }
                className="size-5 shrink-0 accent-accent"
              />
              <span className={isKept ? "" : "text-muted line-through"}>
                <span className="font-medium">{whenWords(one)}</span>{" "}
                <span className="text-muted text-sm">{offsetWords(one)}</span>
              </span>
            </label>
            {notes.length > 0 && (
              <div id={id} className="grid gap-0.5 pb-2 pl-8 text-sm text-warn">
                {notes.map((note) => (
                  <p key={note} className={isKept ? "" : "text-muted"}>
                    {note}
                  </p>
                ))}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
