"use client";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type FormEvent, type KeyboardEvent, useMemo, useState } from "react";
import type { ApiAccount } from "../api/types";
import { saveAltTexts } from "../library/use-alt-text";
import type { NetworkFacts } from "../networks/types";
import { canChange } from "../posts/facts";
import { useNow } from "../time/use-now";
import { buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { Notice } from "../ui/notice";
import { useAnnouncer } from "./announce";
import { NearDuplicateNotices } from "./check/near-duplicates";
import { isEmpty, pageProblems } from "./check/page-problems";
import { PROBLEMS_ID, ProblemList, SubmitBar } from "./check/problem-list";
import { type ComposeProblem, checkProblems } from "./check/problems";
import { useCheck } from "./check/use-check";
import { useFieldFocus } from "./check/use-field-focus";
import { useChoice } from "./clash/use-choice";
import type { Draft } from "./draft/draft";
import { draftFromSchedule } from "./draft/from-schedule";
import { type OriginalSchedule, SavedMeanwhile, useOriginal, useSend } from "./draft/queries";
import { Discard, SaveState } from "./draft/save-state";
import { type DraftSource, forgetSentDraft, initialDraft, initialMedia } from "./draft/source";
import { draftRequest, submissionOf } from "./draft/submission";
import { useDraftSaving } from "./draft/use-autosave";
import { useDraft } from "./draft/use-draft";
import { PartsWithFiles } from "./parts/parts-with-files";
import { AccountPicker } from "./targets/account-picker";
import { TargetTabs } from "./targets/target-tabs";
import { useTargets } from "./targets/use-targets";
import { WhenField } from "./time/when-field";
import { useFileDrop } from "./uploads/use-drop";
import { useUploads } from "./uploads/use-uploads";
import { composeWords } from "./words";

// Loaded only on an edit conflict, which is rare.
const Clash = dynamic(() => import("./windows").then(({ Clash }) => Clash), { ssr: false });

type Props = {
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  purpose: DraftSource;
  /** Restarts the page from the local draft; only for a new post. */
  beginAnew?: () => void;
  /** Restarts the page from the version that someone else saved; for all other posts. */
  beginFrom?: (theirs: OriginalSchedule) => void;
};

/**
 * The composer: one text for many accounts. Everything shown is computed from the draft, the files and the API's
 * responses.
 */
export function Composer({ accounts, networks, purpose, beginAnew, beginFrom }: Props) {
  const router = useRouter();
  const { form, draft, isTouched, applyFix } = useDraft(() => initialDraft(purpose, accounts));
  const uploads = useUploads(() => initialMedia(purpose));
  const files = uploads.items;
  const drop = useFileDrop(uploads);
  const nowMs = useNow(10_000);
  const { announce, region } = useAnnouncer();
  const { targets, shown, now } = useTargets({ draft, files, accounts, networks });
  const check = useCheck(targets, isEmpty(shown, files));
  const keeping = useDraftSaving({ purpose, draft, shown, targets, files, isTouched });
  const send = useSend();
  const [failure, setFailure] = useState<string>();
  const choice = useChoice({ purpose, keeping, isTouched, accounts, networks, beginAnew, beginFrom });
  const { at, setAt, goToField } = useFieldFocus();

  const problemsOfCheck = useMemo(
    () => checkProblems(check.problems, targets, shown),
    [check.problems, targets, shown],
  );
  const problemsOfPage = pageProblems(draft, targets, files, nowMs, drop.isReading);
  const problems = [...problemsOfPage, ...problemsOfCheck.filter(({ isWarning }) => !isWarning)];
  const byAccount = useMemo(() => grouped(problemsOfCheck), [problemsOfCheck]);
  const isPlanned = purpose.kind === "edit" && !purpose.isDraft;

  async function submit() {
    if (problems.length > 0) document.getElementById(PROBLEMS_ID)?.focus();
    if (problems.length > 0 || send.isPending || send.isSuccess) return;
    setFailure(undefined);
    const unsaved = await saveAltTexts().then(
      () => undefined,
      ({ message }: Error) => message,
    );
    if (unsaved) return setFailure(composeWords.altTextNotSaved(unsaved));
    const over = await keeping.stop();
    send.mutate(
      { ...submissionOf(draft, now()), over, isKept: !isPlanned },
      {
        onSuccess: ({ schedule }) => {
          isTouched.current = false;
          forgetSentDraft(purpose, over?.id);
          router.push(isPlanned ? `/posts/${schedule.id}` : "/posts");
        },
        onError: (error) => {
          keeping.goOn();
          if (error instanceof SavedMeanwhile) choice.meet(error.theirs);
          else setFailure(withoutPaths(error.message));
        },
      },
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
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  }

  return (
    <form
      {...drop.rootProps}
      onPaste={drop.onPaste}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      noValidate
      className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr]"
    >
      <input {...drop.inputProps} />
      {region}
      <div className="grid min-w-0 content-start gap-8 lg:col-start-1 lg:row-start-1">
        <AccountPicker accounts={accounts} networks={networks} form={form} />
        <PartsWithFiles draft={draft} form={form} targets={targets} uploads={uploads} drop={drop} announce={announce} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <SaveState state={keeping.kept} compare={choice.open} />
          {beginAnew && keeping.kept !== "nothing" && (
            <Discard stop={choice.stop} userId={purpose.userId} onDiscarded={beginAnew} />
          )}
        </div>
      </div>
      <section
        aria-label={composeWords.perAccount}
        className="grid min-w-0 content-start gap-4 lg:sticky lg:top-4 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:-m-2 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:p-2"
      >
        <TargetTabs targets={targets} at={at} look={setAt} form={form} problems={byAccount} announce={announce} />
      </section>
      <div className="grid min-w-0 content-start gap-6 lg:col-start-1 lg:row-start-2">
        <WhenField form={form} when={draft.when} at={draft.at} accountIds={shown.accountIds} nowMs={nowMs} />
        <NearDuplicateNotices
          draft={shown}
          targets={targets}
          besides={purpose.kind === "edit" ? purpose.id : undefined}
        />
        <ProblemList problems={problems} isFresh={check.isFresh} applyFix={applyFix} goToField={goToField} />
        {failure && <Notice tone="wrong">{composeWords.notSent(failure)}</Notice>}
        <SubmitBar
          problems={problems.length}
          label={isPlanned ? composeWords.saveChanges : submitLabel(draft.when, targets.length)}
          isSending={send.isPending || send.isSuccess}
        />
      </div>
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

/** Removes field paths from an API message, which may arrive before the problem list is updated. */
function withoutPaths(message: string): string {
  return message.replace(/(?:publications\[\d+\][\w.[\]]*|scheduledTime):?\s+/g, "");
}

function grouped(problems: ComposeProblem[]): { [accountKey: string]: ComposeProblem[] | undefined } {
  const groups: { [accountKey: string]: ComposeProblem[] | undefined } = {};
  for (const problem of problems) {
    const key = problem.target?.key ?? "";
    groups[key] = [...(groups[key] ?? []), problem];
  }
  return groups;
}

function submitLabel(when: Draft["when"], count: number): string {
  return when === "now" ? composeWords.postNow(count) : composeWords.schedule(count);
}

type FromScheduleProps = {
  id: number;
  isCopy: boolean;
  userId: string;
  accounts: ApiAccount[];
  networks: NetworkFacts[];
};

/** The composer for an existing schedule, to edit or copy; or the reason why that is impossible. */
export function FromSchedule({ id, isCopy, userId, accounts, networks }: FromScheduleProps) {
  const original = useOriginal(id);
  // Kept in state, because a refetch must not change the draft that is being edited.
  const [purpose, setPurpose] = useState<DraftSource | string>();
  const [round, setRound] = useState(0);
  if (original.error)
    return <LoadFailed text={composeWords.couldNotLoadPost(original.error.message)} retry={() => original.refetch()} />;
  if (!original.data) return <SkeletonRows label={composeWords.loadingPost} rows={3} height="h-40" />;
  if (purpose === undefined) {
    setPurpose(purposeOf(original.data, { isCopy, userId, accounts, networks }));
    return null;
  }
  function begin(from: OriginalSchedule) {
    setPurpose(purposeOf(from, { isCopy: false, userId, accounts, networks }));
    setRound((before) => before + 1);
  }
  if (typeof purpose !== "string") {
    return <Composer key={round} accounts={accounts} networks={networks} purpose={purpose} beginFrom={begin} />;
  }
  return (
    <div className="grid justify-items-start gap-4">
      <Notice tone="warn">{purpose}</Notice>
      <Link href={`/posts/${id}`} className={buttonClass("quiet")}>
        {composeWords.backToPost}
      </Link>
    </div>
  );
}

function purposeOf(
  { schedule, tag, files }: OriginalSchedule,
  { isCopy, userId, accounts, networks }: Omit<FromScheduleProps, "id">,
): DraftSource | string {
  if (!isCopy && !canChange(schedule)) return composeWords.hasBegun;
  const begun = draftFromSchedule(schedule, { accounts, networks, files });
  if (!begun) return composeWords.cannotShowAll;
  if (isCopy) return { kind: "copy", userId, begun };
  return { kind: "edit", userId, id: schedule.id, tag, isDraft: schedule.overallStatus === "DRAFT", begun };
}
