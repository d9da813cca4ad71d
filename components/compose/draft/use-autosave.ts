"use client";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { ApiFailure } from "../../api/client";
import type { NewSchedule } from "../../api/types";
import { isEmpty } from "../check/page-problems";
import type { Target } from "../targets/targets";
import { attachmentOf, type Upload } from "../uploads/use-uploads";
import type { Draft } from "./draft";
import { saveDraft, saveMedia, saveVersion, type Version } from "./local-storage";
import { SavedMeanwhile, type StoredSchedule, useSend } from "./queries";
import type { DraftState } from "./save-state";
import { type DraftSource, initialVersion } from "./source";
import { draftRequest, randomKey } from "./submission";

const QUIET_MS = 1_500;

/**
 * `refused`: the service does not keep it as it stands, so that it is in this browser alone; `elsewhere`: it is no draft any
 * more; `clash`: somebody else saved it meanwhile, and nothing is saved until a person has chosen.
 */
export type AutosaveState = "nothing" | "saving" | "saved" | "refused" | "elsewhere" | "clash";

type AutosaveOptions = {
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
function useAutosave({ body, begun, onKept }: AutosaveOptions) {
  const { mutateAsync } = useSend();
  const [saved, setSaved] = useState<{ wanted: string; state: AutosaveState }>();
  const [clash, setClash] = useState<StoredSchedule>();
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

  const state: AutosaveState = wanted === "" ? "nothing" : saved?.wanted === wanted ? saved.state : "saving";
  /** Saves no more; resolves with what it is at the service once the last save has ended. */
  function stop(): Promise<Version | undefined> {
    isOver.current = true;
    return queue.current;
  }
  function goOn() {
    isOver.current = false;
  }
  /** What is here goes over what somebody else has saved. */
  function overwrite({ schedule, tag }: StoredSchedule) {
    version.current = { id: schedule.id, tag };
    queue.current = Promise.resolve(version.current);
    setSaved(undefined);
    setClash(undefined);
  }
  return { state: clash ? "clash" : state, clash, meet: setClash, overwrite, stop, goOn, version };
}

type DraftSavingOptions = {
  purpose: DraftSource;
  /** As it is this moment, and as the targets were computed from it. */
  draft: Draft;
  shown: Draft;
  targets: Target[];
  files: Upload[];
  isTouched: RefObject<boolean>;
};

/** Keeps what is written: a new post in this browser at once and as a draft at the service; a planned one only when it is sent. */
export function useDraftSaving({ purpose, draft, shown, targets, files, isTouched }: DraftSavingOptions) {
  const userId = purpose.kind === "new" ? purpose.userId : undefined;
  const isPlanned = purpose.kind === "edit" && !purpose.isDraft;
  const [begunWith] = useState(files);
  const hasChanged = isTouched.current || files !== begunWith;
  const isSaveable = hasChanged && !isPlanned && targets.length > 0 && !isEmpty(shown, files);
  const body = useMemo(() => (isSaveable ? draftRequest(shown, targets) : undefined), [isSaveable, shown, targets]);
  const { state, version, ...saving } = useAutosave({
    body,
    begun: initialVersion(purpose),
    onKept: (made) => userId && saveVersion(userId, made),
  });

  useEffect(() => {
    if (!userId || !isTouched.current) return;
    saveDraft(userId, draft);
    saveVersion(userId, version.current);
  }, [draft, userId, isTouched, version]);
  useEffect(() => {
    if (!userId) return;
    const stored = files.flatMap((file) => attachmentOf(file) ?? []);
    saveMedia(userId, stored);
  }, [files, userId]);
  useEffect(() => {
    if (!isPlanned) return;
    const warn = (event: BeforeUnloadEvent) => isTouched.current && event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isPlanned, isTouched]);

  const local: DraftState = hasChanged && !isEmpty(draft, files) ? "browser" : "nothing";
  const planned: DraftState = hasChanged ? "unsaved" : "unchanged";
  const kept: DraftState = state === "clash" ? state : isPlanned ? planned : state === "nothing" ? local : state;
  return { kept, ...saving };
}
