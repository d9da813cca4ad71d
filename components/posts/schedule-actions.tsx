"use client";
import { Copy, PenLine, Repeat, RotateCcw, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeleteSchedule, useReceipt, useRestoreSchedule, useRetrySchedule } from "../api/queries";
import type { ApiPublication, ApiSchedule } from "../api/types";
import { Button, buttonClass } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { Link } from "../ui/link";
import { say } from "../ui/toast";
import { uiWords } from "../ui/words";
import { canChange, canRetry } from "./facts";
import { MoveDialog } from "./move-dialog";
import { useMoves } from "./use-moves";
import { postWords } from "./words";

/** How long a deletion can be undone. */
const UNDO_MS = 10_000;

/** The actions for a schedule in its current state. */
export function ScheduleActions({ schedule }: { schedule: ApiSchedule }) {
  const move = useMoves();
  const remove = useDeleting();
  const retry = useRetrySchedule();
  const unreadable = useUnreadable(schedule);
  function tryAgain(sendAgain = false) {
    if (retry.isPending) return;
    const onError = ({ message }: Error) => fail(postWords.notTriedAgain(message));
    retry.mutate({ id: schedule.id, sendAgain }, { onError });
  }
  return (
    <div className="flex flex-wrap gap-3">
      {isRetryable(schedule, unreadable) && (
        <Button aria-disabled={retry.isPending} onClick={() => tryAgain()}>
          <RotateCcw aria-hidden className="size-4" /> {retry.isPending ? postWords.asking : postWords.tryAgain}
        </Button>
      )}
      {unreadable.length > 0 && (
        <Confirm
          trigger={<Button look="quiet">{postWords.sendAgain.action}</Button>}
          title={postWords.sendAgain.title}
          action={postWords.sendAgain.confirm}
          onConfirm={() => tryAgain(true)}
        >
          {postWords.sendAgain.text}
        </Confirm>
      )}
      {canChange(schedule) && (
        <Link href={`/compose?edit=${schedule.id}`} className={buttonClass("quiet")}>
          <PenLine aria-hidden className="size-4" />{" "}
          {schedule.overallStatus === "DRAFT" ? postWords.goOn : postWords.edit}
        </Link>
      )}
      <Link href={`/compose?copy=${schedule.id}`} className={buttonClass("quiet")}>
        <Copy aria-hidden className="size-4" /> {postWords.duplicate}
      </Link>
      <Link href={`/posts/${schedule.id}/repeat`} className={buttonClass("quiet")}>
        <Repeat aria-hidden className="size-4" /> {postWords.repeat}
      </Link>
      {canChange(schedule) && schedule.scheduledTime && <MoveDialog schedule={schedule} move={move} isWide />}
      {canChange(schedule) && (
        <Button look="danger" aria-disabled={remove.isPending} onClick={() => remove.isPending || remove.run(schedule)}>
          <Trash2 aria-hidden className="size-4" /> {remove.isPending ? postWords.removing : postWords.remove}
        </Button>
      )}
    </div>
  );
}

/** The IDs of publications with an unknown outcome that Carillon no longer looks up: only a person can tell whether they are out. */
function useUnreadable(schedule: ApiSchedule): number[] {
  const { data: receipt } = useReceipt(schedule);
  const publications = canRetry(schedule) ? (receipt?.publications ?? []) : [];
  return publications
    .filter(({ status, nextAttemptTime }) => status === "UNKNOWN" && !nextAttemptTime)
    .map(({ id }) => id);
}

/** Whether a retry without a decision of the user can do anything. */
function isRetryable(schedule: ApiSchedule, unreadable: number[]): boolean {
  const isOpen = ({ id, status }: ApiPublication) =>
    status === "FAILED" || (status === "UNKNOWN" && !unreadable.includes(id));
  return canRetry(schedule) && (unreadable.length === 0 || schedule.publications.some(isOpen));
}

function fail(message: string): void {
  say((toast) => toast.error(message));
}

/** Deletes at once and offers undo, which creates the schedule again under a new ID. */
function useDeleting() {
  const router = useRouter();
  const remove = useDeleteSchedule();
  const restore = useRestoreSchedule();
  /** Awaited, because the page is gone by then, and with it the callbacks passed to `mutate`. */
  async function bringBack(schedule: ApiSchedule) {
    try {
      const { id } = await restore.mutateAsync(schedule);
      say((toast) => toast.success(postWords.broughtBack));
      router.push(`/posts/${id}`);
    } catch (error) {
      fail(postWords.notBroughtBack(error instanceof Error ? error.message : String(error)));
    }
  }
  function run(schedule: ApiSchedule) {
    remove.mutate(schedule, {
      onSuccess: () => {
        router.push("/posts");
        const action = { label: uiWords.undo, onClick: () => void bringBack(schedule) };
        say((toast) => toast.success(postWords.removed, { duration: UNDO_MS, action }));
      },
      onError: ({ message }) => fail(postWords.notRemoved(message)),
    });
  }
  return { run, isPending: remove.isPending };
}
