"use client";
import { useState } from "react";
import { minuteOf, type Slot, weeklyWallAt } from "@/lib/time/weekly";
import { firstInstantAt, zoneOf } from "@/lib/time/zone";
import { type MoveOutcome, type NotMoved, useMoveAll } from "../api/move-all";
import type { Move } from "../api/move-schedule";
import type { ApiSchedule } from "../api/types";
import { useUndo } from "../posts/use-undo";
import { zoneName } from "../time/zone";
import { say } from "../ui/toast";
import { queueWords } from "./words";

/** The old and the new time zone of a queue. */
export type ZoneChange = { from: string; to: string };

/** What happens to posts at a queue's old times, in order of time. */
export type ZoneMoves = {
  /** Moves to the same time of day in the new zone. */
  moves: Move[];
  /** Schedules whose new time has passed. */
  past: ApiSchedule[];
};

const MINUTE_MS = 60_000;
const planned = ["SCHEDULED", "AWAITING_MEDIA"];

/**
 * Finds planned posts at the queue's slots in the old zone, and their times in the new zone. Posts that do not change
 * are left out.
 * @param nowMs times before this have passed
 */
export function zoneMovesOf(
  schedules: ApiSchedule[],
  slots: Slot[],
  { from, to, nowMs }: ZoneChange & { nowMs: number },
): ZoneMoves {
  const [before, after, minutes] = [zoneOf(from), zoneOf(to), slots.map(minuteOf)];
  const found = schedules.flatMap((schedule) => {
    const instant = Date.parse(schedule.scheduledTime ?? "");
    if (!planned.includes(schedule.overallStatus) || !(instant > nowMs)) return [];
    const inMinute = instant % MINUTE_MS;
    const wall = weeklyWallAt(before, minutes, instant - inMinute);
    if (wall === undefined) return [];
    const moved = firstInstantAt(after, wall) + inMinute;
    return moved === instant ? [] : [{ schedule, instant, to: new Date(moved) }];
  });
  found.sort((a, b) => a.instant - b.instant);
  return {
    moves: found.filter(({ to }) => to.getTime() > nowMs).map(({ schedule, to }) => ({ schedule, to })),
    past: found.filter(({ to }) => to.getTime() <= nowMs).map(({ schedule }) => schedule),
  };
}

/** The pending time zone change of a queue, until the user decides whether planned posts move, and the result. */
export function useZoneChange() {
  const [change, setChange] = useState<ZoneChange>();
  const [isPutOff, setPutOff] = useState(false);
  const [notMoved, setNotMoved] = useState<NotMoved[]>([]);
  const moveAll = useMoveAll();
  const offerUndo = useUndo();

  async function moveBack(moves: Move[]) {
    const { back, notMoved } = await moveAll(moves);
    setNotMoved(notMoved);
    if (back.length > 0) say((toast) => toast.success(queueWords.zone.movedBack(back.length)));
  }
  return {
    asked: isPutOff ? undefined : change,
    notMoved,
    /** Until the user decides, planned posts follow the first of several zones. */
    note({ from, to }: ZoneChange) {
      const first = change?.from ?? from;
      setChange(first === to ? undefined : { from: first, to });
      setPutOff(false);
    },
    putOff: () => setPutOff(true),
    end({ back, notMoved, untried }: MoveOutcome = { back: [], notMoved: [], untried: 0 }) {
      setChange(undefined);
      setNotMoved(notMoved);
      if (!change) return;
      const says = queueWords.zone.moved(back.length, untried, zoneName(change.to));
      if (back.length > 0) offerUndo(says, () => void moveBack(back));
      else if (untried > 0) say((toast) => toast(says));
    },
  };
}
