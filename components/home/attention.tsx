"use client";
import { type ReactNode, useEffect, useState } from "react";
import { handleOf } from "../accounts/names";
import { useAccounts, useAttention, useReadAttention, useRetrySchedule } from "../api/queries";
import type { ApiAccount, ApiAttentionItem, ApiSchedule } from "../api/types";
import { Reconnect } from "../connect/reconnect";
import type { NetworkFacts } from "../networks/types";
import { canRetry, textsOf } from "../posts/facts";
import { isUncertain, textStart, useAfterReconnect } from "../posts/post-row";
import { StatusSign } from "../posts/status";
import { dayAndTime } from "../time/format";
import { useNow } from "../time/use-now";
import { Button, buttonClass } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { MessageSquareWarning, TriangleAlert, Webhook } from "../ui/icons";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { say } from "../ui/toast";
import { Heading, MoreLink } from "./today";
import { homeWords } from "./words";

const words = homeWords.attention;
const small = "text-sm md:min-h-9 md:px-3 md:py-1";

/** Everything that needs the user. Opening it marks all of it as read; what was new stays marked until the page is left. */
export function NoticeList({ networks }: { networks: NetworkFacts[] }) {
  const attention = useAttention();
  const accounts = useAccounts();
  const { mutate: read } = useReadAttention();
  const [unread, setUnread] = useState<ReadonlySet<string>>();
  // Without the accounts, nothing is named, and an account that needs reconnecting would look like any other.
  const data = accounts.data && attention.data;
  useEffect(() => {
    if (!data || unread) return;
    setUnread(new Set(data.items.filter((item) => item.isUnread).map(keyOf)));
    read(data.time);
  }, [data, unread, read]);
  if (!data) {
    const failed = (accounts.data ? attention : accounts).error ?? attention.error;
    if (!failed) return <SkeletonRows label={words.loading} rows={3} height="h-16" />;
    const retry = () => Promise.all([attention.refetch(), accounts.refetch()]);
    return <LoadFailed text={words.couldNotLoad(failed.message)} retry={retry} />;
  }
  if (data.items.length === 0) return <EmptyState picture="clear" title={words.clear} text={words.allClear} />;
  return (
    <div className="grid max-w-[53.75rem] gap-4">
      <AttentionItems items={data.items} accounts={accounts.data} networks={networks} unread={unread} />
      {data.isMore && (
        <Link href="/posts?tab=attention" className="text-accent underline">
          {words.more}
        </Link>
      )}
    </div>
  );
}

function keyOf(item: ApiAttentionItem): string {
  if (item.kind === "ACCOUNT_TO_RECONNECT") return `account ${item.account.id}`;
  if (item.kind === "WEBHOOK_DISABLED") return `webhook ${item.webhook.id}`;
  return `${item.kind} ${item.post.id}`;
}

type ItemsProps = {
  items: ApiAttentionItem[];
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  /** The keys of items to mark as new. */
  unread?: ReadonlySet<string>;
};

/** The most items that Home shows. */
const SHOWN_AT_HOME = 5;

/** The section of Home. Accounts that need reconnecting are first, because they are often the reason for the other items. */
export function FirstAttention({ items, isMore, ...known }: Known & Pick<ItemsProps, "items"> & { isMore: boolean }) {
  const rank = ({ kind }: ApiAttentionItem) => (kind === "ACCOUNT_TO_RECONNECT" ? 0 : 1);
  const shown = [...items].sort((one, other) => rank(one) - rank(other)).slice(0, SHOWN_AT_HOME);
  return (
    <section aria-labelledby="attention" className="grid gap-3">
      <Heading id="attention" title={homeWords.needsAttention} count={items.length} isMore={isMore}>
        {(isMore || shown.length < items.length) && <MoreLink href="/notifications">{words.all}</MoreLink>}
      </Heading>
      <AttentionItems items={shown} {...known} />
    </section>
  );
}

/** What needs the user, each with its one fix or a link. */
export function AttentionItems({ items, unread, ...known }: ItemsProps) {
  const nowMs = useNow(60_000);
  return (
    <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
      {items.map((item) => {
        const key = keyOf(item);
        return (
          <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
            <Item item={item} {...known}>
              <span className="whitespace-nowrap text-muted text-xs">
                {unread?.has(key) && <span className="mr-1.5 font-semibold text-warn">{words.isNew}</span>}
                {dayAndTime(new Date(`${item.time}Z`), nowMs)}
              </span>
            </Item>
          </li>
        );
      })}
    </ul>
  );
}

type Known = Pick<ItemsProps, "accounts" | "networks">;

function networkOf({ networks }: Pick<Known, "networks">, { platform }: Pick<ApiAccount, "platform">) {
  return networks.find((network) => network.platform === platform);
}

const nameOf = (known: Pick<Known, "networks">, account: ApiAccount) =>
  networkOf(known, account)?.name ?? account.platform;

/** @param children when it happened */
function Item({ item, children, ...known }: Known & { item: ApiAttentionItem; children: ReactNode }) {
  switch (item.kind) {
    case "ACCOUNT_TO_RECONNECT": {
      const { account } = item;
      const name = words.named(handleOf(account), nameOf(known, account));
      return (
        <Entry
          icon={<TriangleAlert aria-hidden className="size-4.5 text-warn" />}
          title={words.reconnect(name)}
          why={words.reconnectWhy}
          time={children}
          fix={<ReconnectAccount account={account} name={name} {...known} />}
        />
      );
    }
    case "POST_FAILED":
      return <FailedPost post={item.post} time={children} {...known} />;
    case "CHANGES_REQUESTED":
      return (
        <Entry
          icon={<MessageSquareWarning aria-hidden className="size-4.5 text-busy" />}
          title={words.changes(item.reviewer, titleOf(item.post))}
          time={children}
          fix={<Go href={`/posts/${item.post.id}`}>{words.readChanges}</Go>}
        />
      );
    case "WEBHOOK_DISABLED":
      return (
        <Entry
          icon={<Webhook aria-hidden className="size-4.5 text-warn" />}
          title={words.webhook(item.webhook.url)}
          why={item.webhook.disabledReason}
          time={children}
          fix={<Go href={`/webhooks/${item.webhook.id}`}>{words.checkWebhook}</Go>}
        />
      );
  }
}

type EntryProps = { icon: ReactNode; title: ReactNode; why?: string; time: ReactNode; fix: ReactNode };

function Entry({ icon, title, why, time, fix }: EntryProps) {
  return (
    <>
      <span className="grid size-9 shrink-0 place-items-center self-start rounded-lg bg-sunk">{icon}</span>
      <div className="min-w-0 flex-1 basis-52">
        <p className="wrap-anywhere font-medium text-sm">{title}</p>
        <p className="wrap-anywhere text-[0.8125rem] text-muted">
          {why && withFullStop(why)} {time}
        </p>
      </div>
      <div className="max-sm:ml-12">{fix}</div>
    </>
  );
}

/** A network's answer may end without one, and the time follows it. */
const withFullStop = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

function Go({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass("quiet", small)}>
      {children}
    </Link>
  );
}

type ReconnectProps = Pick<Known, "networks"> & { account: ApiAccount; name: string };

function ReconnectAccount({ account, name, networks }: ReconnectProps) {
  const network = networkOf({ networks }, account);
  const then = () => say((toast) => toast.success(words.isReconnected(name)));
  return (
    <Reconnect account={account} network={network} then={then}>
      <Button type="submit" className={small} aria-label={words.reconnectOne(name)}>
        {words.reconnectNow}
      </Button>
    </Reconnect>
  );
}

/** Reconnects an account, and then tries the post again that failed because of it. */
function ReconnectAndPublish({ account, name, networks, post }: ReconnectProps & { post: ApiSchedule }) {
  const network = networkOf({ networks }, account);
  const follow = useAfterReconnect(post, network?.name ?? name);
  return (
    <Reconnect account={account} network={network} then={follow}>
      <Button type="submit" className={small} aria-label={words.reconnectAndPublishOne(name)}>
        {words.reconnectAndPublish}
      </Button>
    </Reconnect>
  );
}

const TITLE_CHARACTERS = 60;

function titleOf(post: ApiSchedule): string {
  const [text] = textsOf(post);
  return words.quoted(text && textStart(text, TITLE_CHARACTERS));
}

/** A post that did not go out everywhere, with the accounts and the reason. */
function FailedPost({ post, accounts, networks, time }: Known & { post: ApiSchedule; time: ReactNode }) {
  const open = post.publications.filter(({ status, leftTime }) => status !== "PUBLISHED" && !leftTime);
  const theirs = open.flatMap(({ socialMediaAccountId: id }) => accounts.find((account) => account.id === id) ?? []);
  const names = [...new Set(theirs.map((account) => nameOf({ networks }, account)))];
  const isUnknown = open.every(({ status }) => status === "UNKNOWN");
  const title = isUnknown ? words.unknown(titleOf(post), names) : words.failed(titleOf(post), names);
  return (
    <Entry
      icon={<StatusSign of={isUnknown ? "UNKNOWN" : "FAILED"} />}
      title={
        <Link href={`/posts/${post.id}`} className="hover:underline">
          {title}
        </Link>
      }
      why={open.flatMap(({ posts }) => posts.map(({ error }) => error)).find(Boolean)}
      time={time}
      fix={
        <PostFix
          post={post}
          title={title}
          networks={networks}
          toReconnect={theirs.find(({ state }) => state === "RECONNECT_REQUIRED")}
        />
      }
    />
  );
}

type PostFixProps = Pick<Known, "networks"> & {
  post: ApiSchedule;
  title: string;
  toReconnect: ApiAccount | undefined;
};

/** Reconnects the account if that is the reason, tries again, or opens a post that only a person can look up on the network. */
function PostFix({ post, title, networks, toReconnect }: PostFixProps) {
  const retry = useRetrySchedule();
  if (toReconnect) {
    return <ReconnectAndPublish account={toReconnect} name={handleOf(toReconnect)} networks={networks} post={post} />;
  }
  if (isUncertain(post) || !canRetry(post)) return <Go href={`/posts/${post.id}`}>{words.checkPost}</Go>;
  function tryAgain() {
    const onError = ({ message }: Error) => say((toast) => toast.error(words.notRetried(message)));
    retry.mutate({ id: post.id }, { onError });
  }
  return (
    <Button
      look="quiet"
      className={small}
      aria-label={words.tryAgainOne(title)}
      aria-disabled={retry.isPending}
      onClick={() => retry.isPending || tryAgain()}
    >
      {words.tryAgain}
    </Button>
  );
}
