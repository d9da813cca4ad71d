"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useChatsOf, useCreateSchedule, useOptionsOf } from "../api/queries";
import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { useNow } from "../time/use-now";
import { Notice } from "../ui/notice";
import { AccountPicker } from "./account-picker";
import { type Draft, forgetDraft, keyOf, loadDraft, loadMedia, saveDraft, saveMedia } from "./draft";
import { MediaField } from "./media-field";
import { obstaclesOf } from "./obstacles";
import { type Refusal, refusalOf } from "./refusal";
import { submissionOf } from "./submission";
import { SubmitBar } from "./submit-bar";
import { TargetCard } from "./target-card";
import { targetsOf } from "./targets";
import { useConversions } from "./use-conversions";
import { useDrop } from "./use-drop";
import { useUploads } from "./use-uploads";
import { WhenField } from "./when-field";

type Props = { accounts: Account[]; networks: NetworkFacts[]; userId: string; at?: string };

/** One text for many accounts. Everything shown is computed from the draft, the files and the networks' own limits. */
export function Composer({ accounts, networks, userId, at }: Props) {
  const router = useRouter();
  const form = useForm<Draft>({ defaultValues: { ...loadDraft(userId), ...(at && { when: "later", at }) } });
  const uploads = useUploads(() => loadMedia(userId));
  const drop = useDrop(uploads.add);
  const create = useCreateSchedule();
  const nowMs = useNow(10_000);
  const [refusal, setRefusal] = useState<Refusal>();

  const draft = form.watch();
  const chats = useChatsByKey(accounts, networks);
  const asked = useOptionsByKey(accounts, networks, draft.accountIds);
  const kinds = uploads.items.map(({ kind }) => kind);
  const targets = targetsOf({ draft, kinds, accounts, networks, chats, asked });
  const conversions = useConversions(
    targets,
    uploads.items.flatMap(({ path }) => path ?? []),
  );
  const obstacles = obstaclesOf(draft, targets, uploads.items, nowMs);

  useEffect(() => {
    const { unsubscribe } = form.watch(() => {
      saveDraft(userId, form.getValues());
      setRefusal(undefined);
    });
    return unsubscribe;
  }, [form, userId]);
  useEffect(() => {
    const stored = uploads.items.flatMap(({ path, name, kind, thumb }) => (path ? [{ path, name, kind, thumb }] : []));
    saveMedia(userId, stored);
  }, [uploads.items, userId]);

  function submit() {
    if (obstacles.length > 0 || create.isPending || create.isSuccess) return;
    const paths = uploads.items.flatMap(({ path }) => path ?? []);
    setRefusal(undefined);
    create.mutate(submissionOf(form.getValues(), targets, paths), {
      onSuccess: () => {
        forgetDraft(userId);
        router.push("/posts");
      },
      onError: ({ message }) =>
        setRefusal(
          refusalOf(
            message,
            targets.map(({ key }) => key),
          ),
        ),
    });
  }

  function leaveOut(accountId: number) {
    form.setValue(
      "accountIds",
      draft.accountIds.filter((id) => id !== String(accountId)),
    );
  }

  return (
    <form
      {...drop.rootProps}
      onPaste={drop.onPaste}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      noValidate
      className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]"
    >
      <input {...drop.inputProps} />
      <div className="grid min-w-0 content-start gap-8 lg:col-start-1 lg:row-start-1">
        <AccountPicker accounts={accounts} networks={networks} field={form.register("accountIds")} />
        <div className="grid gap-2">
          <label htmlFor="text" className="font-semibold">
            Text
          </label>
          <textarea
            id="text"
            rows={7}
            placeholder="One text for every account you chose"
            {...form.register("text")}
            className="w-full rounded-xl border border-edge bg-surface px-4 py-3"
          />
          <p className="text-muted text-sm">Your draft is kept in this browser as you type.</p>
        </div>
        <MediaField uploads={uploads} open={drop.open} isDragging={drop.isDragging} refused={drop.refused} />
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
            uploads={uploads.items}
            refused={refusal?.byAccount[target.key] ?? []}
            notes={conversions[target.key] ?? []}
          />
        ))}
      </section>
      <div className="grid min-w-0 content-start gap-8 lg:col-start-1 lg:row-start-2">
        <WhenField form={form} refused={refusal?.time ?? []} />
        {refusal && (
          <Notice tone="wrong">
            {refusal.general[0] ?? "Not scheduled yet. What has to change stands beside each account or field."}
          </Notice>
        )}
        <SubmitBar
          obstacles={obstacles}
          label={submitLabel(draft.when, targets.length)}
          isSending={create.isPending || create.isSuccess}
          drop={leaveOut}
        />
      </div>
    </form>
  );
}

function useChatsByKey(accounts: Account[], networks: NetworkFacts[]) {
  const withChats = accounts.filter((account) =>
    networks.some(({ platform, destinations }) => platform === account.platform && destinations),
  );
  const chats = useChatsOf(withChats);
  return Object.fromEntries(withChats.map(({ id }, index) => [keyOf(id), chats[index]]));
}

function useOptionsByKey(accounts: Account[], networks: NetworkFacts[], chosen: string[]) {
  const withOptions = accounts.filter(
    ({ id, platform }) =>
      chosen.includes(String(id)) && networks.some((network) => network.platform === platform && network.hasOptions),
  );
  const asked = useOptionsOf(withOptions);
  return Object.fromEntries(withOptions.map(({ id }, index) => [keyOf(id), asked[index]]));
}

function submitLabel(when: Draft["when"], count: number): string {
  const to = count > 1 ? ` to ${count} accounts` : "";
  return when === "now" ? `Post now${to}` : `Schedule${to}`;
}
