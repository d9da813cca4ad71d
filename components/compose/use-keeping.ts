"use client";
import { type RefObject, useEffect, useMemo, useState } from "react";
import type { Purpose } from "./begin";
import { beginVersion } from "./begin";
import type { Draft } from "./draft";
import { saveDraft, saveMedia, saveVersion } from "./kept";
import { isEmpty } from "./obstacles";
import type { Kept } from "./save-state";
import { keepingOf } from "./submission";
import type { Target } from "./targets";
import { useAutosave } from "./use-autosave";
import { attachmentOf, type Upload } from "./use-uploads";

type Given = {
  purpose: Purpose;
  /** As it is this moment, and as the targets were computed from it. */
  draft: Draft;
  shown: Draft;
  targets: Target[];
  files: Upload[];
  isTouched: RefObject<boolean>;
};

/** Keeps what is written: a new post in this browser at once and as a draft at the service; a planned one only when it is sent. */
export function useKeeping({ purpose, draft, shown, targets, files, isTouched }: Given) {
  const userId = purpose.kind === "new" ? purpose.userId : undefined;
  const isPlanned = purpose.kind === "edit" && !purpose.isDraft;
  const [begunWith] = useState(files);
  const hasChanged = isTouched.current || files !== begunWith;
  const isSaveable = hasChanged && !isPlanned && targets.length > 0 && !isEmpty(shown, files);
  const body = useMemo(() => (isSaveable ? keepingOf(shown, targets) : undefined), [isSaveable, shown, targets]);
  const { state, version, ...saving } = useAutosave({
    body,
    begun: beginVersion(purpose),
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

  const local: Kept = hasChanged && !isEmpty(draft, files) ? "browser" : "nothing";
  const planned: Kept = hasChanged ? "unsaved" : "unchanged";
  const kept: Kept = state === "clash" ? state : isPlanned ? planned : state === "nothing" ? local : state;
  return { kept, ...saving };
}
