"use client";
import { Copy, PenLine, Repeat, RotateCcw, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeleteSchedule, useRestoreSchedule, useRetrySchedule } from "../api/queries";
import type { ApiSchedule } from "../api/types";
import { Button, buttonClass } from "../ui/button";
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
  return (
    <div className="flex flex-wrap gap-3">
      {canRetry(schedule) && (
        <Button
          aria-disabled={retry.isPending}
          onClick={() =>
            retry.isPending ||
            retry.mutate(schedule.id, { onError: ({ message }) => fail(postWords.notTriedAgain(message)) })
          }
        >
          <RotateCcw aria-hidden className="size-4" /> {retry.isPending ? postWords.asking : postWords.tryAgain}
        </Button>
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
