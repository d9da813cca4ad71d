"use client";
import { ArrowLeft } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { serverNow } from "../api/clock";
import { useSchedule } from "../api/queries";
import type { Schedule } from "../api/types";
import { textsOf } from "../posts/facts";
import { ownZone, zoneName } from "../time/zone";
import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { LoadFailed } from "../ui/load-failed";
import { Notice } from "../ui/notice";
import { SkeletonRows } from "../ui/skeleton";
import { say } from "../ui/toast";
import { DateList } from "./date-list";
import { useDates, useRepeat } from "./queries";
import { draftFor, lackOf, wishOf } from "./wish";
import { WishForm } from "./wish-form";
import { closeWords } from "./words";

/** Makes a post again at many dates: first they are shown, then they are created. */
export function Repeat({ id }: { id: string }) {
  const schedule = useSchedule(id);
  return (
    <div className="grid max-w-2xl gap-6">
      <Link
        href={`/posts/${id}`}
        className="inline-flex min-h-8 items-center gap-2 justify-self-start text-accent underline"
      >
        <ArrowLeft aria-hidden className="size-4" /> Back to the post
      </Link>
      <h1 className="font-semibold text-2xl tracking-tight">Repeat a post</h1>
      {schedule.isPending && <SkeletonRows label="Loading the post" rows={2} height="h-44" />}
      {schedule.isError && !schedule.data && (
        <LoadFailed text={`Could not load this post: ${schedule.error.message}`} retry={() => schedule.refetch()} />
      )}
      {schedule.data && <Planner id={id} schedule={schedule.data} />}
    </div>
  );
}

function Planner({ id, schedule }: { id: string; schedule: Schedule }) {
  const router = useRouter();
  const [draft, setDraft] = useState(() => draftFor(schedule, ownZone(), serverNow()));
  const [asked, setAsked] = useState<typeof draft>();
  const [leaveOut, setLeaveOut] = useState<string[]>([]);
  const [problem, setProblem] = useState<string>();
  const wish = useMemo(() => asked && wishOf(asked, leaveOut), [asked, leaveOut]);
  // A wish of its own for each: what is pressed twice is created once, and what is asked for anew is not taken for the same.
  const key = useMemo(() => wish && crypto.randomUUID(), [wish]);
  const dates = useDates(id, wish);
  const repeat = useRepeat(id);
  const [text = "No text"] = textsOf(schedule);

  function change(changed: Partial<typeof draft>) {
    setDraft({ ...draft, ...changed });
    setAsked(undefined);
    setProblem(undefined);
  }
  function ask() {
    const lack = lackOf(draft);
    setProblem(lack);
    if (lack) return;
    setLeaveOut([]);
    setAsked(draft);
  }
  function leave(these: string[]) {
    const isAll = these.length === dates.data?.dates.length;
    setProblem(isAll ? "One date has to stay." : undefined);
    if (!isAll) setLeaveOut(these);
  }
  function create() {
    if (!wish || !key || repeat.isPending) return;
    const onSuccess = ({ counts }: { counts: { created: number } }) => {
      say((toast) => toast.success(`${posts(counts.created)} created.`));
      router.push("/posts");
    };
    repeat.mutate({ wish, key }, { onSuccess });
  }
  const failed = repeat.error ?? dates.error;
  return (
    <>
      <p className="line-clamp-3 whitespace-pre-line border-line border-l-2 pl-3 text-muted">{text}</p>
      <WishForm draft={draft} problem={asked ? undefined : problem} change={change} ask={ask} />
      {failed && (
        <p role="alert" className="text-wrong">
          {failed.message}
        </p>
      )}
      {asked && dates.data && !dates.error && (
        <section aria-labelledby="dates" className="grid gap-4">
          <h2 id="dates" aria-live="polite" className="font-semibold text-lg">
            {posts(dates.data.counts.ready)} to create
          </h2>
          <p className="text-muted text-sm">
            All times are those of {zoneName(asked.timeZone)}. The post itself stays as it is.
          </p>
          {dates.data.problems.map(({ message, severity }) => (
            <Notice key={message} tone={severity ? "warn" : "wrong"}>
              {message}
            </Notice>
          ))}
          {closeWords(dates.data) && <Notice tone="warn">{closeWords(dates.data)}</Notice>}
          <DateList report={dates.data} time={asked.time} leaveOut={leaveOut} onChange={leave} />
          {problem && (
            <p role="alert" className="text-wrong">
              {problem}
            </p>
          )}
          <Button
            className="justify-self-start"
            aria-disabled={repeat.isPending || dates.data.problems.some(({ severity }) => !severity)}
            onClick={create}
          >
            {repeat.isPending ? "Creating…" : `Create ${posts(dates.data.counts.ready)}`}
          </Button>
        </section>
      )}
    </>
  );
}

function posts(count: number): string {
  return count === 1 ? "1 post" : `${count} posts`;
}
