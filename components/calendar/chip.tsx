"use client";
import { useDraggable } from "@dnd-kit/core";
import { memo } from "react";
import type { ApiAccount, ApiSchedule } from "../api/types";
import { NetworkBadge } from "../networks/badge";
import { canChange, stateOf, textsOf } from "../posts/facts";
import { MoveDialog } from "../posts/move-dialog";
import { ChangesMark, StatusSign, statusWord } from "../posts/status";
import type { MoveTo } from "../posts/use-moves";
import { postWords } from "../posts/words";
import { language } from "../time/format";
import { Link } from "../ui/link";
import { calendarWords } from "./words";

export type ChipProps = { schedule: ApiSchedule; accounts: ApiAccount[]; nowMs: number; move: MoveTo };

/** A schedule in the grid: status, time, text and up to three networks. It can be dragged until publishing starts. */
export function Chip({ schedule, accounts, nowMs, move }: ChipProps) {
  const isFree = canChange(schedule);
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: schedule.id,
    data: { schedule },
    disabled: !isFree,
  });
  return (
    <div className="group relative">
      <div
        ref={setNodeRef}
        {...listeners}
        className={`rounded-lg border border-line bg-surface text-left text-sm hover:border-edge ${isFree ? "cursor-grab" : ""} ${isDragging ? "opacity-40" : ""}`}
      >
        <ChipFace schedule={schedule} accounts={accounts} state={stateOf(schedule, nowMs)} />
      </div>
      {isFree && (
        <MoveDialog
          schedule={schedule}
          move={move}
          className="absolute top-1 right-1 opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100"
        />
      )}
    </div>
  );
}

type FaceProps = Pick<ChipProps, "schedule" | "accounts"> & { state: ReturnType<typeof stateOf> };

/** The content of a chip, also while it is dragged. */
export const ChipFace = memo(function ChipFace({ schedule, accounts, state }: FaceProps) {
  const [text = postWords.card.noText] = textsOf(schedule);
  return (
    <Link
      href={`/posts/${schedule.id}`}
      draggable={false}
      className="@container grid grid-cols-1 gap-1 p-1.5 hover:no-underline"
    >
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
        <StatusSign of={state} />
        <span className="sr-only">{statusWord(state)}, </span>
        {schedule.scheduledTime && (
          <time dateTime={schedule.scheduledTime} className="shrink-0 whitespace-nowrap font-medium text-xs">
            {scheduleTime(schedule.scheduledTime)}
          </time>
        )}
        <ChangesMark schedule={schedule} isSmall />
        <span className="@min-[8rem]:inline hidden truncate text-muted text-xs" aria-hidden>
          {statusWord(state)}
        </span>
      </span>
      <span className="line-clamp-2 leading-snug">{text}</span>
      <Networks schedule={schedule} accounts={accounts} />
    </Link>
  );
});

const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });

export function scheduleTime(instant: string): string {
  return clock.format(new Date(instant));
}

function Networks({ schedule, accounts }: Pick<ChipProps, "schedule" | "accounts">) {
  const ids = schedule.publications.map(({ socialMediaAccountId }) => socialMediaAccountId);
  const platforms = [...new Set(accounts.filter(({ id }) => ids.includes(id)).map(({ platform }) => platform))];
  return (
    <span className="flex items-center gap-1">
      {platforms.slice(0, 3).map((platform) => (
        <NetworkBadge key={platform} platform={platform} className="size-5" />
      ))}
      {platforms.length > 3 && <span className="text-muted text-xs">+{platforms.length - 3}</span>}
      <span className="sr-only">{calendarWords.accounts(ids.length)}</span>
    </span>
  );
}
