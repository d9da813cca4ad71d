"use client";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiFailure } from "../api/client";
import type { NewSchedule } from "../api/types";
import type { Version } from "./kept";
import { SavedMeanwhile, type Stored, useSend } from "./queries";
import { randomKey } from "./submission";

const QUIET_MS = 1_500;

/**
 * `refused`: the service does not keep it as it stands, so that it is in this browser alone; `elsewhere`: it is no draft any
 * more; `clash`: somebody else saved it meanwhile, and nothing is saved until a person has chosen.
 */
export type Saving = "nothing" | "saving" | "saved" | "refused" | "elsewhere" | "clash";

type Given = {
  /** The request that keeps it; undefined while there is nothing that could be kept, or it must not be. */
  body: NewSchedule | undefined;
  /** What it is already at the service. */
  begun: Version | undefined;
  onKept: (version: Version) => void;
};

/**
 * Keeps what is written as a draft at the service, a moment after each change and one save after the other, each over the
 * version that the last one made. What it does not take (a setting that a network insists on is still missing) stays in the
 * browser, which is said.
 */
export function useAutosave({ body, begun, onKept }: Given) {
  const { mutateAsync } = useSend();
  const [saved, setSaved] = useState<{ wanted: string; state: Saving }>();
  const [clash, setClash] = useState<Stored>();
  const queue = useRef<Promise<Version | undefined>>(Promise.resolve(begun));
  const version = useRef(begun);
  const isOver = useRef(false);
  const wanted = useMemo(() => (body ? JSON.stringify(body) : ""), [body]);
  const kept = useRef(onKept);
  kept.current = onKept;

  useEffect(() => {
    if (wanted === "" || clash) return;
    const timer = setTimeout(() => {
      queue.current = queue.current.then(async (over) => {
        if (isOver.current) return over;
        setSaved({ wanted, state: "saving" });
        try {
          const { schedule, tag } = await mutateAsync({
            body: JSON.parse(wanted),
            key: randomKey(),
            over,
            isKept: true,
          });
          version.current = { id: schedule.id, tag };
          kept.current(version.current);
          setSaved({ wanted, state: "saved" });
          return version.current;
        } catch (error) {
          if (error instanceof SavedMeanwhile) setClash(error.theirs);
          const isOut = error instanceof ApiFailure && error.status === 409;
          setSaved({ wanted, state: isOut ? "elsewhere" : "refused" });
          return over;
        }
      });
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [wanted, clash, mutateAsync]);

  const state: Saving = wanted === "" ? "nothing" : saved?.wanted === wanted ? saved.state : "saving";
  /** Saves no more; resolves with what it is at the service once the last save has ended. */
  function stop(): Promise<Version | undefined> {
    isOver.current = true;
    return queue.current;
  }
  function goOn() {
    isOver.current = false;
  }
  /** What is here goes over what somebody else has saved. */
  function overwrite({ schedule, tag }: Stored) {
    version.current = { id: schedule.id, tag };
    queue.current = Promise.resolve(version.current);
    setSaved(undefined);
    setClash(undefined);
  }
  return { state: clash ? "clash" : state, clash, meet: setClash, overwrite, stop, goOn, version };
}
