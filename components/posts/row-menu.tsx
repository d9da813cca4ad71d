"use client";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import type { ApiSchedule } from "../api/types";
import { CalendarClock, Copy, ExternalLink, type IconComponent, PenLine, RotateCcw, Trash2 } from "../ui/icons";
import { Link } from "../ui/link";
import { canChange, canDelete, canRetry } from "./facts";
import { tableWords } from "./table-words";

type Props = {
  schedule: ApiSchedule;
  /** The button below which it opens. */
  anchor: HTMLElement;
  close: () => void;
  move: () => void;
  retry: () => void;
  remove: () => void;
};

const item =
  "flex min-h-11 w-full items-center gap-2.5 rounded-md px-3 text-left text-sm hover:bg-sunk focus:bg-sunk md:min-h-9";

/** The actions for a post. It is one menu for all rows. */
export function RowMenu({ schedule, anchor, close, move, retry, remove }: Props) {
  const isFree = canChange(schedule);
  return (
    <PopupMenu label={tableWords.menu} anchor={anchor} close={close}>
      <Link role="menuitem" href={`/posts/${schedule.id}`} className={item}>
        <ExternalLink aria-hidden className="size-4" /> {tableWords.open}
      </Link>
      {isFree && (
        <Link role="menuitem" href={`/compose?edit=${schedule.id}`} className={item}>
          <PenLine aria-hidden className="size-4" /> {tableWords.edit}
        </Link>
      )}
      <Link role="menuitem" href={`/compose?copy=${schedule.id}`} className={item}>
        <Copy aria-hidden className="size-4" /> {tableWords.duplicate}
      </Link>
      {isFree && schedule.scheduledTime && (
        <MenuItem icon={CalendarClock} onPress={move}>
          {tableWords.moveTo}
        </MenuItem>
      )}
      {canRetry(schedule) && (
        <MenuItem icon={RotateCcw} onPress={retry}>
          {tableWords.retry}
        </MenuItem>
      )}
      {canDelete(schedule) && (
        <MenuItem icon={Trash2} onPress={remove} isDanger>
          {tableWords.remove}
        </MenuItem>
      )}
    </PopupMenu>
  );
}

type PopupMenuProps = Pick<Props, "anchor" | "close"> & { label: string; children: ReactNode };

/**
 * A menu in the browser's top layer, because a row clips what is larger than itself. Escape and a press outside close it. It is
 * open while it is rendered.
 */
function PopupMenu({ label, anchor, close, children }: PopupMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = menu.current;
    if (!shown) return;
    shown.showPopover();
    const { bottom, top, right } = anchor.getBoundingClientRect();
    const isBelow = bottom + shown.offsetHeight < window.innerHeight;
    shown.style.top = `${isBelow ? bottom + 4 : Math.max(4, top - shown.offsetHeight - 4)}px`;
    shown.style.left = `${Math.max(4, right - shown.offsetWidth)}px`;
    itemsOf(shown)[0]?.focus();
  }, [anchor]);
  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={moveFocus}
      onToggle={({ newState }) => {
        if (newState !== "closed") return;
        if (document.activeElement === document.body || menu.current?.contains(document.activeElement)) anchor.focus();
        close();
      }}
      className="fixed inset-auto m-0 w-48 rounded-xl border border-line bg-surface p-1.5 text-ink shadow-xl"
    >
      {children}
    </div>
  );
}

type MenuItemProps = { icon: IconComponent; onPress: () => void; isDanger?: boolean; children: ReactNode };

/** An action in a menu, which closes the menu. */
function MenuItem({ icon: Icon, onPress, isDanger = false, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
        onPress();
      }}
      className={`${item} ${isDanger ? "text-wrong" : ""}`}
    >
      <Icon aria-hidden className="size-4" /> {children}
    </button>
  );
}

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const items = itemsOf(event.currentTarget);
  const at = items.findIndex((one) => one.matches(":focus"));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}
