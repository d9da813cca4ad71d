"use client";
import type { KeyboardEvent } from "react";
import type { Platform } from "@/lib/platforms";
import { NetworkBadge } from "../../networks/badge";
import { SpriteIcon } from "../../ui/icons";
import { composeWords } from "../words";

export type Tab = {
  id: string;
  name: string;
  /** Absent: all accounts. */
  platform?: Platform;
  /** Whether its text or files are customised. */
  isOwn: boolean;
  issues: number;
};

type Props = {
  label: string;
  tabs: Tab[];
  /** The ID of the selected tab. */
  at: string;
  look: (id: string) => void;
  /** The ID of the panel. */
  panel: string;
  /** Shows only the marks. */
  isSmall?: boolean;
};

export const tabId = (panel: string, id: string) => `${panel}-${id}`;

/** Tabs with the mark of a network, a golden dot if it is customised, and the number of its issues. */
export function TabList({ label, tabs, at, look, panel, isSmall = false }: Props) {
  function onKey(event: KeyboardEvent) {
    const index = tabs.findIndex(({ id }) => id === at);
    const step = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
    const next = step === undefined ? undefined : tabs.at(step % tabs.length);
    if (!next) return;
    event.preventDefault();
    look(next.id);
    document.getElementById(tabId(panel, next.id))?.focus();
  }
  return (
    <div
      role="tablist"
      aria-label={label}
      className={isSmall ? "flex flex-wrap gap-1" : "flex gap-0.5 overflow-x-auto rounded-t-xl bg-sunk px-1.5 pt-1.5"}
    >
      {tabs.map(({ id, name, platform, isOwn, issues }) => (
        <button
          key={id}
          id={tabId(panel, id)}
          type="button"
          role="tab"
          aria-selected={id === at}
          aria-controls={panel}
          tabIndex={id === at ? 0 : -1}
          title={name}
          onClick={() => look(id)}
          onKeyDown={onKey}
          className={`relative flex shrink-0 items-center gap-1.5 text-muted text-sm aria-selected:font-semibold aria-selected:text-ink ${isSmall ? "size-11 justify-center rounded-xl hover:bg-sunk aria-selected:bg-surface aria-selected:ring-2 aria-selected:ring-accent" : "min-h-10 rounded-t-lg px-3 -outline-offset-3! aria-selected:bg-surface"}`}
        >
          {platform ? (
            <NetworkBadge platform={platform} className={isSmall ? "size-7" : "size-5"} />
          ) : (
            <SpriteIcon name="layers" className="size-4" />
          )}
          <span className={isSmall ? "sr-only" : platform && id !== at ? "sr-only md:not-sr-only" : ""}>{name}</span>
          {isOwn && (
            <>
              <span
                aria-hidden
                className={`size-2 rounded-full bg-gold ring-1 ring-warn ${isSmall ? "absolute right-1 bottom-1" : ""}`}
              />
              <span className="sr-only">{composeWords.customised}</span>
            </>
          )}
          {issues > 0 && (
            <span
              className={`min-w-4.5 rounded-full bg-wrong-soft px-1 text-center font-bold text-wrong text-xs ${isSmall ? "absolute -top-1 -right-1" : ""}`}
            >
              {issues}
              <span className="sr-only">{composeWords.issues(issues)}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
