"use client";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import type { FeedDryRunView, FeedView } from "@/lib/api/shapes";
import { handleOf } from "../accounts/names";
import { callApi } from "../api/client";
import { useChatsOf } from "../api/queries";
import type { ApiAccount } from "../api/types";
import { NetworkBadge } from "../networks/badge";
import type { NetworkFacts } from "../networks/types";
import { Button } from "../ui/button";
import { FieldError } from "../ui/input-field";
import { Link } from "../ui/link";
import { Handle, Sentence } from "../ui/sentence";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { feedWords } from "./words";

type Feed = z.output<typeof FeedView>;
type DryRun = z.output<typeof FeedDryRunView>;
type Values = {
  url: string;
  accounts: string[];
  destinations: { [accountId: string]: string };
  text: string;
  hasPicture: boolean;
  becomes: "draft" | "schedule";
  newestItems: string;
};

const input = "mt-1 min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2 font-normal";
const PLACEHOLDERS = ["title", "link", "summary", "author"] as const;

type Props = {
  /** Undefined while they are loaded. */
  accounts: ApiAccount[] | undefined;
  networks: NetworkFacts[];
  onAdded: (feed: Feed) => void;
};

/** Adds a feed in two steps: it is read and its posts are shown, then it is stored. A change goes back to the first step. */
export function FeedForm({ accounts = [], networks, onAdded }: Props) {
  const id = useId();
  const { register, handleSubmit, watch, formState } = useForm<Values>({
    defaultValues: {
      ...{ url: "", accounts: [], destinations: {}, text: "{{title}}\n\n{{link}}" },
      ...{ hasPicture: false, becomes: "draft", newestItems: "0" },
    },
  });
  const facts = new Map(networks.map((network) => [network.platform, network]));
  const chosen = watch("accounts");
  const asking = accounts.filter(
    (one) => chosen.includes(String(one.id)) && facts.get(one.platform)?.destinations?.required,
  );
  const chats = useChatsOf(asking);
  const send = <T,>(query: string, values: Values) =>
    callApi<T>(`/v1/feeds${query}`, { method: "POST", body: bodyOf(values, accounts, facts) });
  const preview = useMutation({ mutationFn: (values: Values) => send<DryRun>("?dryRun=true", values) });
  const add = useMutation({ mutationFn: (values: Values) => send<Feed>("", values), onSuccess: onAdded });
  const isHydrated = useIsHydrated(); // anything entered before that would be lost
  const { errors } = formState;
  const problemOf = (field: "url" | "accounts" | "text") => ({ id: `${id}-${field}`, text: errors[field]?.message });
  const describedBy = (field: "url" | "accounts" | "text") =>
    errors[field] ? { "aria-invalid": true, "aria-describedby": `${id}-${field}` } : {};
  return (
    <form
      className="grid gap-5"
      noValidate
      onChange={() => {
        preview.reset();
        add.reset();
      }}
      onSubmit={handleSubmit((values) => (preview.data ? add.mutate(values) : preview.mutate(values)))}
    >
      <fieldset disabled={!isHydrated} className="contents">
        <div className="grid gap-1">
          <label className="block font-medium">
            {feedWords.address}
            <input
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://example.com/feed.xml"
              className={input}
              {...describedBy("url")}
              {...register("url", { validate: (url) => url.trim() !== "" || feedWords.giveAddress })}
            />
          </label>
          <FieldError {...problemOf("url")} />
        </div>
        <fieldset>
          <legend className="mb-1 font-medium">{feedWords.accounts}</legend>
          {accounts.length === 0 && (
            <p className="text-muted">
              {feedWords.noAccounts}{" "}
              <Link href="/accounts" className="text-accent underline">
                {feedWords.connect}
              </Link>
            </p>
          )}
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] gap-x-6">
            {accounts.map((account) => (
              <label key={account.id} className="flex min-h-11 items-center gap-3">
                <input
                  type="checkbox"
                  value={account.id}
                  className="size-5 shrink-0 accent-accent"
                  {...register("accounts", { validate: (ids) => ids.length > 0 || feedWords.chooseAccount })}
                />
                <NetworkBadge platform={account.platform} />
                <span className="wrap-anywhere min-w-0">
                  <Handle>{handleOf(account)}</Handle>
                </span>
              </label>
            ))}
          </div>
          <FieldError {...problemOf("accounts")} />
        </fieldset>
        {asking.map((account, index) => (
          <label key={account.id} className="block font-medium">
            {feedWords.destination(facts.get(account.platform)?.name ?? account.platform, handleOf(account))}
            <select className={input} {...register(`destinations.${account.id}`)}>
              <option value="">{feedWords.chooseDestination}</option>
              {chats[index]?.map((chat) => (
                <option key={chat.id} value={chat.id}>
                  {chat.title}
                </option>
              ))}
            </select>
          </label>
        ))}
        <div className="grid gap-1">
          <label className="block font-medium">
            {feedWords.text}
            <textarea
              rows={4}
              aria-describedby={`${id}-hint`}
              className={input}
              {...register("text", { validate: (text) => text.trim() !== "" || feedWords.giveText })}
            />
          </label>
          <p id={`${id}-hint`} className="text-muted text-sm">
            <Sentence text={feedWords.textHint} parts={placeholderParts} />
          </p>
          <FieldError {...problemOf("text")} />
        </div>
        <label className="flex min-h-11 items-center gap-3">
          <input type="checkbox" className="size-5 shrink-0 accent-accent" {...register("hasPicture")} />
          {feedWords.picture}
        </label>
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">{feedWords.each}</legend>
          {(["draft", "schedule"] as const).map((becomes) => (
            <label key={becomes} className="flex min-h-11 items-center gap-3">
              <input type="radio" value={becomes} className="size-5 shrink-0 accent-accent" {...register("becomes")} />
              {feedWords[becomes]}
            </label>
          ))}
        </fieldset>
        <label className="block font-medium">
          {feedWords.newest}
          <select className={input} {...register("newestItems")}>
            {Object.entries(feedWords.newestOptions).map(([count, label]) => (
              <option key={count} value={count}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {preview.data && <Preview dryRun={preview.data} facts={facts} accounts={accounts} />}
        {preview.isError && <Refusal text={feedWords.notPreviewed(preview.error.message)} />}
        {add.isError && <Refusal text={feedWords.failed(add.error.message)} />}
        <Button
          type="submit"
          look={preview.data ? "primary" : "quiet"}
          aria-disabled={preview.isPending || add.isPending}
          className="justify-self-start"
        >
          {labelOf(preview, add)}
        </Button>
      </fieldset>
    </form>
  );
}

type Step = { isPending: boolean; data?: unknown };

function labelOf(preview: Step, add: Step): string {
  if (add.isPending) return feedWords.adding;
  if (preview.isPending) return feedWords.reading;
  return preview.data ? feedWords.addIt : feedWords.preview;
}

const placeholderParts = Object.fromEntries(
  PLACEHOLDERS.map((name) => [name, <code key={name}>{`{{${name}}}`}</code>]),
) as { [name in (typeof PLACEHOLDERS)[number]]: ReactNode };

function Refusal({ text }: { text: string }) {
  return (
    <p role="alert" className="wrap-anywhere text-wrong">
      {text}
    </p>
  );
}

type Facts = ReadonlyMap<ApiAccount["platform"], NetworkFacts>;

function bodyOf(values: Values, accounts: ApiAccount[], facts: Facts) {
  const { url, text, hasPicture, becomes, newestItems, destinations } = values;
  const publications = accounts
    .filter(({ id }) => values.accounts.includes(String(id)))
    .map(({ id, platform }) => {
      const chatId = destinations[String(id)];
      const attachmentPaths = hasPicture ? ["{{image}}"] : [];
      return {
        socialMediaAccountId: id,
        platformSettings: { type: facts.get(platform)?.settingsType ?? platform },
        posts: [{ content: text, attachmentPaths, ...(chatId ? { chatId } : {}) }],
      };
    });
  return {
    url: url.trim(),
    newestItems: Number(newestItems),
    template: { isDraft: becomes === "draft", publications },
  };
}

/** The posts that the newest articles would become, and what their networks would refuse. */
function Preview({ dryRun, facts, accounts }: { dryRun: DryRun; facts: Facts; accounts: ApiAccount[] }) {
  const { title, items } = dryRun;
  return (
    <section aria-live="polite" className="grid gap-3">
      <h3 className="font-semibold">{feedWords.madeFrom(title ?? feedWords.ofFeed)}</h3>
      {items.length === 0 && <p className="text-muted">{feedWords.empty}</p>}
      <ul className="grid gap-3">
        {items.map(({ guid, publications, problems }) => {
          const blocking = problems.filter(({ severity }) => severity !== "warning");
          return (
            <li key={guid} className="grid gap-2 rounded-xl bg-sunk p-4">
              <p className="wrap-anywhere whitespace-pre-wrap text-sm">
                {publications[0]?.posts[0]?.content || feedWords.noText}
              </p>
              {blocking.length === 0 ? (
                <p className="text-accent text-sm">{feedWords.fine}</p>
              ) : (
                <div className="text-sm text-warn">
                  <p>{feedWords.refused}</p>
                  <ul className="list-disc pl-5">
                    {blocking.map(({ path, message }) => (
                      <li key={`${path} ${message}`}>
                        {networkAt(path, publications, accounts, facts)} {message}
                      </li>
                    ))}
                  </ul>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type Publications = DryRun["items"][number]["publications"];

/** Returns the name of the network that a problem is about, with a colon; empty if it is not about one account. */
function networkAt(path: string, publications: Publications, accounts: ApiAccount[], facts: Facts): string {
  const [, index] = /^publications\[(\d+)\]/.exec(path) ?? [];
  const id = publications[Number(index)]?.socialMediaAccountId;
  const account = accounts.find((one) => one.id === id);
  const network = account && facts.get(account.platform)?.name;
  return network ? `${network}:` : "";
}
