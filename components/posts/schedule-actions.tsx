"use client";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useDeleteSchedule, useReceipt, useRestoreSchedule, useRetrySchedule } from "../api/queries";
import type { ApiAccount, ApiPublication, ApiSchedule } from "../api/types";
import { Reconnect } from "../connect/reconnect";
import type { NetworkFacts } from "../networks/types";
import { Button, buttonClass } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { Copy, PenLine, Repeat, RotateCcw, Trash2 } from "../ui/icons";
import { Link } from "../ui/link";
import { say } from "../ui/toast";
import { uiWords } from "../ui/words";
import { canChange, canDelete, canRetry } from "./facts";
import { MoveDialog } from "./move-dialog";
import { useAfterReconnect } from "./post-row";
import { tableWords } from "./table-words";
import { useMoves } from "./use-moves";
import { postWords } from "./words";

/** How long a deletion can be undone. */
const UNDO_MS = 10_000;

/** The classes that make a button of the page's header smaller where there is a mouse. */
const SMALL = "px-3! text-sm md:min-h-9! md:py-1!";

/** The actions for a schedule in its current state, apart from those that solve a problem of one account. */
export function ScheduleActions({ schedule }: { schedule: ApiSchedule }) {
  const { move } = useMoves();
  const remove = useDeleting();
  return (
    <div className="flex flex-wrap gap-2">
      {schedule.overallStatus === "MEDIA_IMPORT_FAILED" && <TryAgain schedule={schedule} />}
      {canChange(schedule) && (
        <Link href={`/compose?edit=${schedule.id}`} className={buttonClass("quiet", SMALL)}>
          <PenLine aria-hidden className="size-4" />{" "}
          {schedule.overallStatus === "DRAFT" ? postWords.goOn : postWords.edit}
        </Link>
      )}
      {canChange(schedule) && schedule.scheduledTime && (
        <MoveDialog schedule={schedule} move={move} isWide className={SMALL} />
      )}
      <Link href={`/compose?copy=${schedule.id}`} className={buttonClass("quiet", SMALL)}>
        <Copy aria-hidden className="size-4" /> {postWords.duplicate}
      </Link>
      <Link href={`/posts/${schedule.id}/repeat`} className={buttonClass("quiet", SMALL)}>
        <Repeat aria-hidden className="size-4" /> {postWords.repeat}
      </Link>
      {canDelete(schedule) && (
        <Button
          look="danger"
          className={SMALL}
          aria-disabled={remove.isPending}
          onClick={() => remove.isPending || remove.run(schedule)}
        >
          <Trash2 aria-hidden className="size-4" /> {remove.isPending ? postWords.removing : postWords.remove}
        </Button>
      )}
    </div>
  );
}

type FixesProps = {
  schedule: ApiSchedule;
  publication: ApiPublication;
  account: ApiAccount | undefined;
  network: NetworkFacts | undefined;
};

/** What solves the problem of one account; nothing if it has none. Also used to sort: accounts with a fix come first. */
export function fixesOf({ schedule, publication, account, network }: FixesProps): ReactNode {
  const { status } = publication;
  const isOpen = status === "FAILED" || (status === "PENDING" && schedule.overallStatus !== "DRAFT");
  if (account?.state === "RECONNECT_REQUIRED" && isOpen)
    return <ReconnectFix schedule={schedule} account={account} network={network} />;
  if (status === "FAILED" && canRetry(schedule)) return <TryAgain schedule={schedule} />;
  if (status === "UNKNOWN" && canRetry(schedule)) return <UnknownFix schedule={schedule} publication={publication} />;
  return null;
}

type ReconnectProps = { schedule: ApiSchedule; account: ApiAccount; network: NetworkFacts | undefined };

function ReconnectFix({ schedule, account, network }: ReconnectProps) {
  const name = network?.name ?? account.platform;
  const follow = useAfterReconnect(schedule, name);
  const hasFailed = canRetry(schedule);
  return (
    <>
      {!hasFailed && <p className="basis-full text-sm text-warn">{tableWords.failsUnless(name)}</p>}
      <Reconnect account={account} network={network} then={follow}>
        <Button type="submit">{hasFailed ? tableWords.reconnectAndPublish : tableWords.reconnect}</Button>
      </Reconnect>
    </>
  );
}

/** A post whose outcome is unknown is looked up; if that is not possible, the person decides. */
function UnknownFix({ schedule, publication }: Pick<FixesProps, "schedule" | "publication">) {
  const { data: receipt } = useReceipt(schedule);
  const retry = useRetry(schedule);
  const known = receipt?.publications.find(({ id }) => id === publication.id);
  if (!known) return <span className="h-11" />; // the height of the button that follows, so that nothing moves
  if (known.nextAttemptTime) return <TryAgain schedule={schedule} />;
  return (
    <Confirm
      trigger={<Button look="quiet">{postWords.sendAgain.action}</Button>}
      title={postWords.sendAgain.title}
      action={postWords.sendAgain.confirm}
      onConfirm={() => retry.run(true)}
    >
      {postWords.sendAgain.text}
    </Confirm>
  );
}

function TryAgain({ schedule }: { schedule: ApiSchedule }) {
  const retry = useRetry(schedule);
  return (
    <Button aria-disabled={retry.isPending} onClick={() => retry.run()}>
      <RotateCcw aria-hidden className="size-4" /> {retry.isPending ? postWords.asking : postWords.tryAgain}
    </Button>
  );
}

function useRetry({ id }: ApiSchedule) {
  const { mutate, isPending } = useRetrySchedule();
  const onError = ({ message }: Error) => fail(postWords.notTriedAgain(message));
  return { isPending, run: (sendAgain = false) => isPending || mutate({ id, sendAgain }, { onError }) };
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
        // The time of a failed post is over, so it cannot be scheduled again.
        const action = canChange(schedule) && { label: uiWords.undo, onClick: () => void bringBack(schedule) };
        say((toast) => toast.success(postWords.removed, action ? { duration: UNDO_MS, action } : {}));
      },
      onError: ({ message }) => fail(postWords.notRemoved(message)),
    });
  }
  return { run, isPending: remove.isPending };
}
