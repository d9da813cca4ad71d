"use client";
import { useRef, useState } from "react";
import type { ApiSchedule } from "../api/types";
import { Button } from "../ui/button";
import { CalendarClock } from "../ui/icons";
import { loadedLater } from "../ui/toast";
import { textsOf } from "./facts";
import type { MoveTo } from "./use-moves";
import { postWords } from "./words";

type Props = { schedule: ApiSchedule; move: MoveTo; className?: string; isWide?: boolean };

const fetchWindow = () => import("./move-window");
const MoveWindow = loadedLater(() => fetchWindow().then(({ MoveWindow }) => MoveWindow));

/**
 * "Move to…", the alternative to dragging for keyboards, screen readers and touch. Its window is preloaded when it is
 * likely to be opened.
 */
export function MoveDialog({ schedule, move, className = "", isWide = false }: Props) {
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const [text = postWords.move.thisPost] = textsOf(schedule);
  const button = {
    ref: trigger,
    "aria-haspopup": "dialog",
    "aria-expanded": isOpen,
    onClick: () => setOpen(true),
    onPointerEnter: fetchWindow,
    onFocus: fetchWindow,
  } as const;
  return (
    <>
      {isWide ? (
        <Button look="quiet" className={className} {...button}>
          <CalendarClock aria-hidden className="size-4" /> <span>{postWords.move.moveTo}</span>
        </Button>
      ) : (
        <button
          type="button"
          className={`inline-flex size-7 items-center justify-center rounded-md border border-edge bg-surface hover:bg-sunk ${className}`}
          {...button}
        >
          <CalendarClock aria-hidden className="size-4" />
          <span className="sr-only">{postWords.move.moveText(text.slice(0, 60))}</span>
        </button>
      )}
      {isOpen && (
        <MoveWindow
          schedule={schedule}
          text={text}
          move={move}
          close={() => setOpen(false)}
          goBack={() => trigger.current?.focus()}
        />
      )}
    </>
  );
}
