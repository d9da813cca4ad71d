"use client";
import { useState } from "react";
import { type NotMoved, type Outcome, useMoveAll } from "../api/move-all";
import type { Move } from "../api/move-schedule";
import { useUndo } from "../posts/use-undo";
import { zoneName } from "../time/zone";
import { say } from "../ui/toast";
import { queueWords } from "./words";
import type { ZoneChange } from "./zone-moves";

/** From which zone to which a queue went, until it is answered whether what is planned goes along; and what came of that. */
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
    /** As long as nothing is answered, what is planned still stands as in the first of several zones. */
    note({ from, to }: ZoneChange) {
      const first = change?.from ?? from;
      setChange(first === to ? undefined : { from: first, to });
      setPutOff(false);
    },
    putOff: () => setPutOff(true),
    end({ back, notMoved, untried }: Outcome = { back: [], notMoved: [], untried: 0 }) {
      setChange(undefined);
      setNotMoved(notMoved);
      if (!change) return;
      const says = queueWords.zone.moved(back.length, untried, zoneName(change.to));
      if (back.length > 0) offerUndo(says, () => void moveBack(back));
      else if (untried > 0) say((toast) => toast(says));
    },
  };
}
