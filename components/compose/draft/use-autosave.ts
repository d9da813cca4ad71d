"use client";
import { type RefObject, startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApiFailure } from "../../api/client";
import type { ApiNewSchedule } from "../../api/types";
import { isEmpty } from "../check/page-problems";
import type { Target } from "../targets/targets";
import { attachmentOf, type Upload } from "../uploads/use-uploads";
import type { Draft } from "./draft";
import { forgetDraft, saveDraft, saveMedia, saveVersion, setDraftOfEntry, type Version } from "./local-storage";
import { SavedMeanwhile, type StoredSchedule, useSend } from "./queries";
import { type DraftSource, draftKeyOf, initialVersion } from "./source";
import { draftRequest, randomKey } from "./submission";

const QUIET_MS = 800;

/**
 * Changes the draft. The function runs at once and returns a new draft.
 * @param isByHand false for what the page fills in, which does not count as the user's work
 * @param isTyped whether the text field shows the change itself, so that the rest of the page can follow after the key's frame
 */
export type EditDraft = (change: (draft: Draft) => Draft, isByHand?: boolean, isTyped?: boolean) => void;

/** The draft that the page shows, the latest one, which is ahead of it while someone types, and whether the user has changed it. */
export function useDraft(initial: () => Draft, isChanged: boolean) {
  const [draft, setDraft] = useState(initial);
  const latest = useRef(draft);
  const isTouched = useRef(isChanged);
  const edit = useCallback<EditDraft>((change, isByHand = true, isTyped = false) => {
    if (isByHand) isTouched.current = true;
    latest.current = change(latest.current);
    const show = () => setDraft(latest.current);
    if (isTyped) requestAnimationFrame(() => setTimeout(startTransition, 0, show));
    else show();
  }, []);
  return { draft, latest, edit, isTouched };
}

/**
 * `refused`: the API does not accept it, so it is stored only in this browser. `offline`: the API cannot be reached; it is saved
 * when it can be again. `elsewhere`: it is no longer a draft.
 * `clash`: someone else saved it, and saving is paused until the user has chosen.
 */
type AutosaveState = "nothing" | "saving" | "saved" | "refused" | "offline" | "elsewhere" | "clash";
export type DraftState = AutosaveState | "browser" | "unchanged" | "unsaved" | "offlineUnsaved";

type AutosaveOptions = {
  /** The request to save; undefined if there is nothing to save, or saving is off. */
  body: ApiNewSchedule | undefined;
  /** The stored version to start from. */
  begun: Version | undefined;
  onKept: (version: Version) => void;
};

/**
 * Saves the draft on the server after a pause in typing. Saves run one after the other, each replacing the version of
 * the last. If the API refuses, for example because a file was deleted, the text stays in the browser and the state says so.
 */
function useAutosave({ body, begun, onKept }: AutosaveOptions) {
  const { mutateAsync } = useSend();
  const [saved, setSaved] = useState<{ wanted: string; state: AutosaveState }>();
  const [clash, setClash] = useState<StoredSchedule>();
  const queue = useRef<Promise<Version | undefined>>(Promise.resolve(begun));
  const version = useRef(begun);
  const isOver = useRef(false);
  /** The request that was saved last. */
  const sent = useRef("");
  const wanted = useMemo(() => (body ? JSON.stringify(body) : ""), [body]);
  const kept = useRef(onKept);
  kept.current = onKept;
  const latest = useRef(wanted);
  latest.current = wanted;

  const save = useCallback(
    (asked: string) => {
      queue.current = queue.current.then(async (over) => {
        if (isOver.current || sent.current === asked) return over;
        setSaved({ wanted: asked, state: "saving" });
        try {
          const { schedule, tag } = await mutateAsync({
            body: JSON.parse(asked),
            key: randomKey(),
            over,
            isKept: true,
          });
          version.current = { id: schedule.id, tag };
          sent.current = asked;
          kept.current({ ...version.current, isBehind: asked !== latest.current });
          setSaved({ wanted: asked, state: "saved" });
          return version.current;
        } catch (error) {
          if (error instanceof SavedMeanwhile) setClash(error.theirs);
          const status = error instanceof ApiFailure ? error.status : undefined;
          setSaved({ wanted: asked, state: status === 409 ? "elsewhere" : status === 0 ? "offline" : "refused" });
          return over;
        }
      });
      return queue.current;
    },
    [mutateAsync],
  );

  useEffect(() => {
    if (wanted === "" || clash) return;
    const timer = setTimeout(() => void save(wanted), QUIET_MS);
    const again = () => void save(wanted);
    addEventListener("online", again);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", again);
    };
  }, [wanted, clash, save]);

  const state: AutosaveState = wanted === "" ? "nothing" : saved?.wanted === wanted ? saved.state : "saving";
  /** Stops saving, and resolves with the stored version after the last save. */
  function stop(): Promise<Version | undefined> {
    isOver.current = true;
    return queue.current;
  }
  /** Saves at once what is not saved yet, and resolves with the stored version, if any. */
  function flush(): Promise<Version | undefined> {
    return wanted !== "" && !clash ? save(wanted) : queue.current;
  }
  function goOn() {
    isOver.current = false;
  }
  /** Overwrites the version that someone else saved. */
  function overwrite({ schedule, tag }: StoredSchedule) {
    version.current = { id: schedule.id, tag };
    queue.current = Promise.resolve(version.current);
    sent.current = "";
    setSaved(undefined);
    setClash(undefined);
  }
  return { state: clash ? "clash" : state, clash, meet: setClash, overwrite, stop, goOn, flush, version };
}

type DraftSavingOptions = {
  purpose: DraftSource;
  draft: Draft;
  latest: RefObject<Draft>;
  targets: Target[];
  files: Upload[];
  isTouched: RefObject<boolean>;
};

/**
 * Saves a new post in this browser at once and on the server as a draft. A planned post is saved only when it is sent; until
 * then its changes are in this browser.
 */
export function useDraftSaving({ purpose, draft, latest, targets, files, isTouched }: DraftSavingOptions) {
  const isPlanned = purpose.kind === "edit" && !purpose.isDraft;
  const place = draftKeyOf(purpose);
  const [begunWith] = useState(files);
  const isForgotten = useRef(false);
  const hasChanged = isTouched.current || files !== begunWith;
  const isSaveable = hasChanged && !isPlanned && targets.length > 0 && !isEmpty(draft, files);
  const body = useMemo(() => (isSaveable ? draftRequest(draft, targets) : undefined), [isSaveable, draft, targets]);
  const { state, version, ...saving } = useAutosave({
    body,
    begun: initialVersion(purpose),
    onKept: (made) => {
      if (place) saveVersion(place, made);
      if (purpose.kind === "new") setDraftOfEntry(made.id);
    },
  });

  useEffect(() => {
    if (!place) return;
    const store = () => {
      saveDraft(place, latest.current);
      saveMedia(
        place,
        files.flatMap((file) => attachmentOf(file) ?? []),
      );
      saveVersion(place, version.current && { ...version.current, isBehind: true });
    };
    if (hasChanged && !isForgotten.current) store();
    // Keys that the page did not show before it was left.
    const leave = () => latest.current !== draft && store();
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, [draft, latest, files, hasChanged, place, version]);

  const local: DraftState = hasChanged && !isEmpty(draft, files) ? "browser" : "nothing";
  const planned: DraftState = hasChanged ? "unsaved" : "unchanged";
  const own: DraftState = state === "offline" && !place ? "offlineUnsaved" : state;
  const kept: DraftState = state === "clash" ? state : isPlanned ? planned : state === "nothing" ? local : own;
  /** Forgets the changes of a planned post before it is left. */
  function forget() {
    isForgotten.current = true;
    if (place) forgetDraft(place);
  }
  return { kept, forget, ...saving };
}
