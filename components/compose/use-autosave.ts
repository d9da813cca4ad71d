"use client";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiFailure } from "../api/client";
import type { NewSchedule, Schedule } from "../api/types";
import { useSend } from "./queries";
import { randomKey } from "./submission";

const QUIET_MS = 1_500;

/** `refused`: the service does not keep it as it stands, so that it is in this browser alone; `elsewhere`: it is no draft any more. */
export type Saving = "nothing" | "saving" | "saved" | "refused" | "elsewhere";

type Given = {
  /** The request that keeps it; undefined while there is nothing that could be kept, or it must not be. */
  body: NewSchedule | undefined;
  /** The draft that it is already. */
  id: number | undefined;
  onKept: (schedule: Schedule) => void;
};

/**
 * Keeps what is written as a draft at the service, a moment after each change and one save after the other. What it does not
 * take (a setting that a network insists on is still missing) stays in the browser, which is said.
 */
export function useAutosave({ body, id, onKept }: Given) {
  const { mutateAsync } = useSend();
  const [saved, setSaved] = useState<{ wanted: string; state: Saving }>();
  const queue = useRef<Promise<number | undefined>>(Promise.resolve(id));
  const isOver = useRef(false);
  const wanted = useMemo(() => (body ? JSON.stringify(body) : ""), [body]);
  const kept = useRef(onKept);
  kept.current = onKept;

  useEffect(() => {
    if (wanted === "") return;
    const timer = setTimeout(() => {
      queue.current = queue.current.then(async (known) => {
        if (isOver.current) return known;
        setSaved({ wanted, state: "saving" });
        try {
          const schedule = await mutateAsync({ body: JSON.parse(wanted), key: randomKey(), id: known, isKept: true });
          kept.current(schedule);
          setSaved({ wanted, state: "saved" });
          return schedule.id;
        } catch (error) {
          const isOut = error instanceof ApiFailure && error.status === 409;
          setSaved({ wanted, state: isOut ? "elsewhere" : "refused" });
          return known;
        }
      });
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [wanted, mutateAsync]);

  const state: Saving = wanted === "" ? "nothing" : saved?.wanted === wanted ? saved.state : "saving";
  /** Saves no more; resolves with the draft's number once the last save has ended. */
  function stop(): Promise<number | undefined> {
    isOver.current = true;
    return queue.current;
  }
  function goOn() {
    isOver.current = false;
  }
  return { state, stop, goOn };
}
