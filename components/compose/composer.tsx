"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, type KeyboardEvent, useMemo, useState } from "react";
import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { useNow } from "../time/use-now";
import { Notice } from "../ui/notice";
import { AccountPicker } from "./account-picker";
import { useAnnouncer } from "./announce";
import { beginDraft, beginMedia, type Purpose } from "./begin";
import { forgetDraft } from "./kept";
import { isEmpty, obstaclesOf } from "./obstacles";
import { PartsWithFiles } from "./parts-with-files";
import { PROBLEMS_ID, ProblemList } from "./problem-list";
import { type Problem, problemsIn } from "./problems";
import { useSend } from "./queries";
import { SaveState } from "./save-state";
import { submissionOf } from "./submission";
import { SubmitBar } from "./submit-bar";
import { TargetCard } from "./target-card";
import { TwinNotices } from "./twin-notices";
import { useDraft } from "./use-draft";
import { useFileDrop } from "./use-file-drop";
import { useKeeping } from "./use-keeping";
import { useTargets } from "./use-targets";
import { useUploads } from "./use-uploads";
import { useVerdict } from "./use-verdict";
import { WhenField } from "./when-field";

type Props = { accounts: Account[]; networks: NetworkFacts[]; purpose: Purpose };

/** One text for many accounts. Everything shown is computed from the draft, the files and what the API says of them. */
export function Composer({ accounts, networks, purpose }: Props) {
  const router = useRouter();
  const { form, draft, isTouched, mend } = useDraft(() => beginDraft(purpose, accounts));
  const uploads = useUploads(() => beginMedia(purpose));
  const files = uploads.items;
  const drop = useFileDrop(uploads);
  const nowMs = useNow(10_000);
  const { announce, region } = useAnnouncer();
  const { targets, shown } = useTargets({ draft, files, accounts, networks });
  const verdict = useVerdict(targets, isEmpty(shown, files));
  const keeping = useKeeping({ purpose, draft, shown, targets, files, isTouched });
  const send = useSend();
  const [failure, setFailure] = useState<string>();

  const found = useMemo(() => problemsIn(verdict.found, targets, shown), [verdict.found, targets, shown]);
  const obstacles = obstaclesOf(draft, targets, files, nowMs);
  const problems = [...obstacles, ...found.filter(({ isWarning }) => !isWarning)];
  const byAccount = useMemo(() => grouped(found), [found]);
  const isPlanned = purpose.kind === "edit" && !purpose.isDraft;

  async function submit() {
    if (problems.length > 0) document.getElementById(PROBLEMS_ID)?.focus();
    if (problems.length > 0 || send.isPending || send.isSuccess) return;
    setFailure(undefined);
    const id = isPlanned ? purpose.id : await keeping.stop();
    send.mutate(
      { ...submissionOf(draft, targets), id },
      {
        onSuccess: (schedule) => {
          isTouched.current = false;
          if (purpose.kind === "new") forgetDraft(purpose.userId);
          router.push(isPlanned ? `/posts/${schedule.id}` : "/posts");
        },
        onError: ({ message }) => {
          keeping.goOn();
          setFailure(message);
        },
      },
    );
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
        <AccountPicker accounts={accounts} networks={networks} field={form.register("accountIds")} />
        <PartsWithFiles draft={draft} form={form} targets={targets} uploads={uploads} drop={drop} announce={announce} />
        <SaveState state={keeping.kept} />
      </div>
      <section
        aria-label="What each account will get"
        className="grid min-w-0 content-start gap-4 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        {targets.length === 0 && (
          <p className="rounded-2xl border border-line border-dashed p-5 text-muted text-sm">
            Choose an account to see what it will get.
          </p>
        )}
        {targets.map((target) => (
          <TargetCard
            key={target.key}
            target={target}
            form={form}
            problems={byAccount[target.key] ?? NONE}
            announce={announce}
          />
        ))}
      </section>
      <div className="grid min-w-0 content-start gap-6 lg:col-start-1 lg:row-start-2">
        <WhenField form={form} when={draft.when} at={draft.at} nowMs={nowMs} />
        <TwinNotices draft={draft} targets={targets} besides={purpose.kind === "edit" ? purpose.id : undefined} />
        <ProblemList problems={problems} isFresh={verdict.isFresh} mend={mend} />
        {failure && <Notice tone="wrong">Not sent: {failure}</Notice>}
        <SubmitBar
          problems={problems.length}
          label={isPlanned ? "Save changes" : submitLabel(draft.when, targets.length)}
          isSending={send.isPending || send.isSuccess}
        />
      </div>
    </form>
  );
}

const NONE: Problem[] = [];

function grouped(problems: Problem[]): { [accountKey: string]: Problem[] | undefined } {
  const groups: { [accountKey: string]: Problem[] | undefined } = {};
  for (const problem of problems) {
    const key = problem.target?.key ?? "";
    groups[key] = [...(groups[key] ?? []), problem];
  }
  return groups;
}

function submitLabel(when: "now" | "later", count: number): string {
  const to = count > 1 ? ` to ${count} accounts` : "";
  return when === "now" ? `Post now${to}` : `Schedule${to}`;
}
