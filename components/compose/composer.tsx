"use client";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import type { Platform } from "@/lib/platforms";
import type { ApiAccount } from "../api/types";
import { saveAltTexts } from "../library/use-alt-text";
import type { NetworkFacts } from "../networks/types";
import { useNow } from "../time/use-now";
import { X } from "../ui/icons";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { loadedLater } from "../ui/toast";
import { uiWords } from "../ui/words";
import { useAnnouncer } from "./announce";
import { type ProblemFix, partFieldId } from "./check/fixes";
import { NearDuplicateNotices } from "./check/near-duplicates";
import { isEmpty, pageProblems } from "./check/page-problems";
import { goToProblems, ProblemList, SubmitButton } from "./check/problem-list";
import { checkProblems } from "./check/problems";
import { useCheck } from "./check/use-check";
import { useChoice } from "./clash/use-choice";
import type { Draft } from "./draft/draft";
import { type OriginalSchedule, SavedMeanwhile, useSend } from "./draft/queries";
import { headerButton, More, SaveState, SharePreview } from "./draft/save-state";
import { type DraftSource, forgetSentDraft, initialDraft, initialMedia } from "./draft/source";
import { draftRequest, submissionOf } from "./draft/submission";
import { type DraftState, useDraft, useDraftSaving } from "./draft/use-autosave";
import type { WaysOutWords } from "./draft/words";
import { loadWindows } from "./load-windows";
import { useReplaceByCrop } from "./parts/part-files";
import type { Tab } from "./parts/tab-list";
import { TextBox } from "./parts/text-box";
import { AccountPicker } from "./targets/account-picker";
import { PreviewPanel } from "./targets/preview-panel";
import { AccountSettings } from "./targets/settings-fields";
import { usePresetAccounts, useTargets } from "./targets/use-targets";
import { problemsOf, useFocus, versionsOf } from "./targets/versions";
import { nextHour } from "./time/time-of";
import { WhenField } from "./time/when-field";
import { useFileDrop } from "./uploads/use-drop";
import { useUploads } from "./uploads/use-uploads";
import { composeWords } from "./words";

// Loaded only on an edit conflict, which is rare.
const Clash = loadedLater(() => loadWindows().then(({ Clash }) => Clash));
// Loaded with the first change of a planned post. If that fails, the changes are still in this browser.
const Leaving = dynamic(
  () =>
    loadWindows().then(
      ({ Leaving }) => Leaving,
      () => () => null,
    ),
  { ssr: false },
);

type Props = {
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  purpose: DraftSource;
  words: WaysOutWords;
  /** The page's title. */
  heading: ReactNode;
  /** Restarts the page from the local draft; only for a new post. */
  beginAnew?: () => void;
  /** Restarts the page from the version that someone else saved; for all other posts. */
  beginFrom?: (theirs: OriginalSchedule) => void;
  /** Set to a function that saves the draft at once; only for a new post. */
  saver?: RefObject<(() => Promise<unknown>) | undefined>;
};

/**
 * The composer: one text for many accounts. Everything shown is computed from the draft, the files and the API's
 * responses.
 */
export function Composer({ accounts, networks, words, purpose, heading, beginAnew, beginFrom, saver }: Props) {
  const router = useRouter();
  const { draft, latest, edit, isTouched } = useDraft(
    () => initialDraft(purpose, accounts),
    purpose.kind === "edit" && purpose.isChanged,
  );
  const uploads = useUploads(() => initialMedia(purpose));
  const files = uploads.items;
  const nowMs = useNow(10_000);
  const { announce, region } = useAnnouncer();
  const { targets, now } = useTargets({ draft, latest, files, accounts, networks });
  const check = useCheck(targets, isEmpty(draft, files));
  const keeping = useDraftSaving({ purpose, draft, latest, targets, files, isTouched });
  const form = useRef<HTMLFormElement>(null);
  const send = useSend(({ over }) => {
    isTouched.current = false;
    forgetSentDraft(purpose, over?.id, form.current ? undefined : latest.current);
  });
  const [failure, setFailure] = useState<string>();
  const choice = useChoice({ purpose, keeping, isTouched, accounts, networks, beginAnew, beginFrom });
  const lastUsed = usePresetAccounts({
    accounts,
    draft,
    edit,
    isBegun: purpose.kind !== "new" || !isEmpty(draft, files),
  });
  const [apart, setApart] = useState<Platform[]>([]);
  const versions = useMemo(() => versionsOf(targets, apart), [targets, apart]);
  const { at, previewed, setPreviewed, look, goal, goToField } = useFocus(versions);
  const version = versions.find(({ id }) => id === at);
  const drop = useFileDrop(uploads, version?.id);
  const replace = useReplaceByCrop(uploads, edit);

  const problemsOfCheck = useMemo(
    () => checkProblems(check.problems, targets, draft),
    [check.problems, targets, draft],
  );
  const tabs = useMemo(
    () =>
      versions.map((one): Tab => {
        const { id, name, platform, isOwn } = one;
        const issues = problemsOf(one, problemsOfCheck).filter(({ isWarning }) => !isWarning).length;
        return { id, name, platform, isOwn, issues };
      }),
    [versions, problemsOfCheck],
  );
  const problemsIn = (some: Draft) => [
    ...pageProblems(some, targets, files, nowMs, drop.isReading),
    ...problemsOfCheck.filter(({ isWarning }) => !isWarning),
  ];
  const isPlanned = purpose.kind === "edit" && !purpose.isDraft;
  const [isAsked, setAsked] = useState(false);
  // While the draft is empty, missing parts are not listed until the person presses the button.
  const problems = isEmpty(draft, files) && !isAsked ? [] : problemsIn(draft);
  const [toDo, done] = composeWords.sendings[isPlanned ? "save" : draft.when];

  useEffect(() => {
    if (saver) saver.current = keeping.flush;
  });

  async function submit(when = draft.when) {
    if (problemsIn({ ...latest.current, when }).length > 0) {
      flushSync(() => setAsked(true));
      return goToProblems();
    }
    if (send.isPending || send.isSuccess) return;
    setFailure(undefined);
    const unsaved = await saveAltTexts().then(
      () => undefined,
      ({ message }: Error) => message,
    );
    if (unsaved) return setFailure(composeWords.notSent(composeWords.altTextNotSaved(unsaved)));
    const over = await keeping.stop();
    send.mutate(
      { ...submissionOf({ ...latest.current, when }, now()), over, isKept: !isPlanned },
      {
        onSuccess: ({ schedule }) => router.push(isPlanned ? `/posts/${schedule.id}` : "/posts"),
        onError: (error) => {
          keeping.goOn();
          if (error instanceof SavedMeanwhile) choice.meet(error.theirs);
          else setFailure(composeWords.notSent(withoutPaths(error.message)));
        },
      },
    );
  }

  function applyFix(fix: Exclude<ProblemFix, { goTo: string }>) {
    if ("change" in fix) return edit(fix.change);
    loadWindows()
      .then(
        ({ cropTo }) => cropTo(fix.crop, fix.ratio),
        () => Promise.reject(new Error(uiWords.notOpened)),
      )
      .then(
        (cropped) => replace(fix.crop, cropped),
        ({ message }: Error) => setFailure(message),
      );
  }

  /** Overwrites their version: a draft is saved automatically, a planned post is sent now. */
  function keepMine() {
    choice.overwrite();
    if (isPlanned) void submit();
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    void submit();
  }
  function onKeyDown(event: KeyboardEvent | globalThis.KeyboardEvent) {
    const { code, key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const isCommand = ctrlKey || metaKey;
    const digit = altKey && !isCommand ? /^Digit([1-9])$/.exec(code)?.[1] : undefined;
    if (isCommand && key === "Enter") void submit(shiftKey ? "now" : draft.when);
    else if (isCommand && shiftKey && code === "KeyP") pickTime();
    else if (digit) goToVersion(Number(digit) - 1);
    else return;
    event.preventDefault();
  }
  const onPageKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    // A dialog has keys of its own, also while none of its controls has the focus.
    const isOnPage = event.target instanceof Node && event.target.contains(form.current);
    if (isOnPage && !document.querySelector("dialog[open]")) onKeyDown(event);
  });
  // The keys also work while no control has the focus, as after opening the page.
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onPageKey(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
  function pickTime() {
    edit((before) => ({ ...before, when: "later", at: before.at || nextHour(nowMs) }));
    goToField("at", undefined);
  }
  /** The text of all accounts is the first. */
  function goToVersion(index: number) {
    const key = versions[index - 1]?.targets[0]?.key;
    if (index > 0 && !key) return;
    const [first] = (key && draft.own[key]) || draft.parts;
    goToField(partFieldId(key, first?.id ?? ""), key);
  }

  return (
    <form
      ref={form}
      {...drop.rootProps}
      onPaste={drop.onPaste}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      noValidate
      className="-mx-4 -mt-4.5 -mb-28 min-h-[calc(100dvh-3.5rem)] md:-mx-6 md:-mt-6 md:-mb-10 wide:-mx-8 flex flex-col overflow-clip md:min-h-[calc(100dvh-1.25rem)] md:rounded-[1.125rem] [&_*]:scroll-mb-28 md:[&_*]:scroll-mb-24"
    >
      <input {...drop.inputProps} />
      {region}
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-4 py-2.5 md:gap-x-4 md:px-6">
        {heading}
        <SaveState state={keeping.kept} compare={choice.open} />
        <span className="ml-auto flex items-center gap-1">
          {SHARED.includes(keeping.kept) && <SharePreview keep={keeping.flush} />}
          {!isEmpty(draft, files) && keeping.kept !== "unsaved" && (
            <More
              words={words}
              purpose={purpose}
              keep={keeping.flush}
              stop={isPlanned ? undefined : choice.stop}
              onDeleted={beginAnew ?? (() => router.push("/posts"))}
            />
          )}
          <Link
            href={purpose.kind === "edit" ? `/posts/${purpose.id}` : "/posts"}
            title={composeWords.close}
            className={headerButton}
          >
            <X aria-hidden className="size-4" />
            <span className="sr-only">{composeWords.close}</span>
          </Link>
        </span>
      </header>
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_minmax(22rem,33%)]">
        <div className="mx-auto grid w-full max-w-[56rem] min-w-0 content-start gap-3 px-4 py-4 md:px-6">
          <AccountPicker
            accounts={accounts}
            networks={networks}
            ids={draft.accountIds}
            lastUsed={lastUsed}
            edit={edit}
          />
          <TextBox
            {...{ draft, latest, edit, targets, tabs, version, look, uploads, replace, drop, announce, goToField }}
            split={(platform) => setApart([...apart, platform])}
          />
          <NearDuplicateNotices
            draft={draft}
            targets={targets}
            besides={purpose.kind === "edit" ? purpose.id : undefined}
          />
          <ProblemList
            problems={problems}
            done={done}
            isFresh={check.isFresh}
            applyFix={applyFix}
            goToField={goToField}
          />
          {targets.length > 0 && (
            <div className="rounded-xl border border-line bg-surface">
              {targets.map((target) => (
                <AccountSettings
                  key={target.key}
                  target={target}
                  chosen={draft.settings[target.key]}
                  edit={edit}
                  goal={goal}
                  isOneOfSeveral={targets.some((other) => other !== target && other.network === target.network)}
                />
              ))}
            </div>
          )}
        </div>
        <section
          aria-label={composeWords.preview}
          className="grid min-w-0 content-start gap-4 border-line border-t bg-sunk p-4 lg:border-t-0 lg:border-l"
        >
          <div className="grid gap-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-10.5rem)] lg:overflow-y-auto lg:p-1">
            <PreviewPanel
              versions={versions}
              tabs={tabs}
              at={previewed}
              look={setPreviewed}
              problems={problemsOfCheck}
            />
          </div>
        </section>
      </div>
      <div className="sticky bottom-0 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t bg-surface px-4 pt-2.5 pb-[calc(0.625rem+env(safe-area-inset-bottom))] max-md:shadow-[0_-6px_20px_rgb(0_0_0/10%)] md:px-6">
        <WhenField
          edit={edit}
          when={draft.when}
          slot={draft.slot}
          at={draft.at}
          accountIds={draft.accountIds}
          nowMs={nowMs}
        />
        {failure && <Notice tone="wrong">{failure}</Notice>}
        <SubmitButton
          label={
            problems.length > 0
              ? composeWords.fixIssues(problems.length, toDo)
              : submitLabel(draft.when, isPlanned, targets.length)
          }
          isSending={send.isPending || send.isSuccess}
        />
      </div>
      {keeping.kept === "unsaved" && !send.isSuccess && (
        <Leaving words={words} save={() => void submit()} forget={keeping.forget} />
      )}
      {keeping.clash && choice.isOpen && (
        <Clash
          mine={() => (isPlanned ? submissionOf(draft, now()).body : draftRequest(draft, now()))}
          theirs={keeping.clash}
          accounts={accounts}
          networks={networks}
          files={files}
          isSent={isPlanned}
          keepMine={keepMine}
          onTaken={choice.take}
          close={choice.close}
        />
      )}
    </form>
  );
}

/** States of a post whose preview can be shared: what is written is saved, or can be. */
const SHARED: DraftState[] = ["browser", "saving", "saved", "unchanged"];

/** Removes field paths from an API message, which may arrive before the problem list is updated. */
function withoutPaths(message: string): string {
  return message.replace(/(?:publications\[\d+\][\w.[\]]*|scheduledTime):?\s+/g, "");
}

function submitLabel(when: Draft["when"], isPlanned: boolean, count: number): string {
  if (isPlanned) return composeWords.saveChanges;
  return when === "now" ? composeWords.postNow(count) : composeWords.schedule(count);
}
