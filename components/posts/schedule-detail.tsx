"use client";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { AccountFace } from "../accounts/account-face";
import { displayName, handleOf } from "../accounts/names";
import { useAccounts, useChatsOf, useReceipt, useSchedule } from "../api/queries";
import type { ApiAccount, ApiPost, ApiPublication, ApiSchedule, Attempt } from "../api/types";
import { animationOf, useStoredFiles } from "../library/stored-files";
import { NetworkBadge } from "../networks/badge";
import { kindOf, stillOf } from "../networks/formats";
import type { NetworkFacts } from "../networks/types";
import { previewOf } from "../previews/data";
import type { PreviewMedia } from "../previews/types";
import { FeedbackSection } from "../reviews/feedback-section";
import { dateAndTime, fromNow, hour, localFormat } from "../time/format";
import { useNow } from "../time/use-now";
import { zoneAt } from "../time/zone";
import { Card } from "../ui/card";
import { ArrowLeft, ExternalLink } from "../ui/icons";
import { Link } from "../ui/link";
import { PostNotLoaded, SkeletonRows } from "../ui/loading";
import { Handle } from "../ui/sentence";
import { isAhead, mediaWords, publicationState, stateOf, textsOf } from "./facts";
import { textStart } from "./post-row";
import { fixesOf, ScheduleActions } from "./schedule-actions";
import { ChangesMark, Status, StatusSign } from "./status";
import { StatusAnnouncer } from "./status-announcer";
import { postWords } from "./words";

// Loaded on demand. The whole post waits for it, because a preview that arrives later would move the buttons below it.
const Mockup = lazy(() =>
  import("../previews/preview").then(({ PublicationMockup }) => ({ default: PublicationMockup })),
);
const ProposalCard = lazy(() => import("./proposal").then(({ ProposalCard }) => ({ default: ProposalCard })));

export function ScheduleDetail({ id, networks }: { id: string; networks: NetworkFacts[] }) {
  const schedule = useSchedule(id);
  const accounts = useAccounts();
  const title = <h1 className="sr-only">{postWords.post(id)}</h1>;
  const loading = (
    <>
      {title}
      <SkeletonRows label={postWords.loadingPost} rows={2} height="h-44" />
    </>
  );
  // Without the accounts, the page would call each of them disconnected.
  const failed = (schedule.data ? accounts : schedule).error;
  return (
    <div className="grid gap-4">
      <Link
        href="/posts"
        className="inline-flex min-h-8 items-center gap-2 justify-self-start text-muted text-sm hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" /> {postWords.allPosts}
      </Link>
      {schedule.data && accounts.data ? (
        <Suspense fallback={loading}>
          <Whole schedule={schedule.data} accounts={accounts.data} networks={networks} />
        </Suspense>
      ) : failed ? (
        <>
          {title}
          <PostNotLoaded error={failed} retry={() => Promise.all([schedule.refetch(), accounts.refetch()])} />
        </>
      ) : (
        loading
      )}
    </div>
  );
}

type WholeProps = { schedule: ApiSchedule; accounts: ApiAccount[]; networks: NetworkFacts[] };
const TITLE_CHARACTERS = 90;

function Whole({ schedule, accounts, networks }: WholeProps) {
  const nowMs = useNow();
  const [text = postWords.post(String(schedule.id))] = textsOf(schedule);
  const rows = schedule.publications.map((publication) => {
    const known = accountAndNetwork(publication.socialMediaAccountId, accounts, networks);
    return { publication, ...known, fixes: fixesOf({ schedule, publication, ...known }) };
  });
  const problems = rows.filter(({ fixes }) => fixes).length;
  const problemsFirst = [...rows].sort((one, other) => Number(Boolean(other.fixes)) - Number(Boolean(one.fixes)));
  return (
    <>
      <StatusAnnouncer schedules={[schedule]} />
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 max-w-3xl gap-1">
          <h1 className="line-clamp-2 text-2xl">{textStart(text, TITLE_CHARACTERS)}</h1>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <When schedule={schedule} wait={waitOf(schedule, nowMs)} />
            <Status of={isAhead(schedule) && problems > 0 ? "ATTENTION" : stateOf(schedule, nowMs)} />
            <ChangesMark schedule={schedule} />
          </span>
        </div>
        <ScheduleActions schedule={schedule} />
      </header>
      <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-6">
          {schedule.proposal && (
            <ProposalCard key={schedule.id} schedule={schedule} accounts={accounts} networks={networks} />
          )}
          <section aria-labelledby="accounts" className="grid gap-2">
            <h2 id="accounts" className="font-semibold">
              {postWords.accounts}
            </h2>
            <Card className="py-1!">
              <ul className="divide-y divide-line">
                {problemsFirst.map((row) => (
                  <PublicationRow key={row.publication.id} whole={stateOf(schedule, nowMs)} {...row} />
                ))}
              </ul>
            </Card>
          </section>
          <Previews rows={rows} scheduledTime={schedule.scheduledTime} />
        </div>
        <div className="grid gap-6">
          <Receipt schedule={schedule} accounts={accounts} networks={networks} nowMs={nowMs} />
          <FeedbackSection schedule={schedule} />
        </div>
      </div>
    </>
  );
}

type PreviewProps = { publication: ApiPublication; account: ApiAccount | undefined; network: NetworkFacts | undefined };

/** What each network shows, one at a time. The tabs are radio buttons, which the arrow keys move between. */
function Previews({ rows, scheduledTime }: { rows: PreviewProps[]; scheduledTime: string | undefined }) {
  const group = useId();
  const [chosen, choose] = useState(rows[0]?.publication.id);
  const shown = rows.find(({ publication }) => publication.id === chosen) ?? rows[0];
  if (!shown) return null;
  return (
    <section aria-labelledby={group} className="grid gap-3">
      <h2 id={group} className="font-semibold">
        {postWords.previews}
      </h2>
      {rows.length > 1 && (
        <div role="radiogroup" aria-labelledby={group} className="flex flex-wrap gap-2">
          {rows.map(({ publication, account, network }) => (
            <label
              key={publication.id}
              className="flex min-h-11 items-center gap-2 rounded-lg border border-edge bg-surface px-3 text-sm has-[:checked]:border-accent has-[:checked]:bg-accent-soft has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-accent md:min-h-9"
            >
              <input
                type="radio"
                name={group}
                checked={publication === shown.publication}
                onChange={() => choose(publication.id)}
                className="sr-only"
              />
              {account && <NetworkBadge platform={account.platform} className="size-5" />}
              {account ? handleOf(account) : postWords.card.disconnected}
              <span className="sr-only">{network?.name}</span>
            </label>
          ))}
        </div>
      )}
      <PublicationPreview key={shown.publication.id} scheduledTime={scheduledTime} {...shown} />
    </section>
  );
}

const dayAndTime = localFormat({ day: "numeric", month: "short", hour, minute: "2-digit" });

/** The preview of a publication with the time at which it goes out or went out; only its text if the account is gone. */
function PublicationPreview({
  publication,
  account,
  network,
  scheduledTime,
}: PreviewProps & { scheduledTime?: string }) {
  const keys = publication.posts.flatMap(({ attachmentPaths = [], thumbnail = [] }) =>
    attachmentPaths.concat(thumbnail),
  );
  const files = useStoredFiles(keys);
  const [chats] = useChatsOf(account && network?.destinations ? [account] : []);
  if (!account || !network) return <PublicationTexts publication={publication} />;
  const media = (path: string): PreviewMedia => {
    const file = files.get(path);
    const kind = kindOf(path, file);
    return {
      key: path,
      kind,
      src: file && kind !== "document" ? stillOf(file.url, kind) : undefined,
      name: file?.filename ?? path.split("/").at(-1) ?? path,
      altText: file?.altText,
      animation: file && animationOf(file),
    };
  };
  const at = publication.posts[0]?.publishedTime ?? scheduledTime;
  const time = at && dayAndTime.format(new Date(at));
  return (
    <div className="max-w-md">
      <Mockup preview={previewOf(publication, { account, network, chats, media, time })} />
    </div>
  );
}

function PublicationTexts({ publication }: { publication: ApiPublication }) {
  return publication.posts.map(({ id, content, attachmentPaths = [] }) => (
    <div key={id}>
      <p className="whitespace-pre-wrap">{content || <span className="text-muted">{postWords.card.noText}</span>}</p>
      {attachmentPaths.length > 0 && (
        <p className="mt-1 text-muted text-sm">{postWords.withFiles(mediaWords(attachmentPaths))}</p>
      )}
    </div>
  ));
}

type ReceiptProps = WholeProps & { nowMs: number };

/** What happened, step by step, on all accounts; the latest first. */
function Receipt({ schedule, accounts, networks, nowMs }: ReceiptProps) {
  const title = useId();
  const { data, error } = useReceipt(schedule);
  if (error && !data) return <p className="text-muted text-sm">{postWords.receipt.couldNotRead(error.message)}</p>;
  const steps = (data?.publications ?? []).flatMap(({ socialMediaAccountId, story }) =>
    story.map((attempt) => ({ attempt, account: socialMediaAccountId })),
  );
  if (steps.length === 0) return null;
  steps.sort((one, other) => Date.parse(other.attempt.endTime) - Date.parse(one.attempt.endTime));
  const errors = schedule.publications.flatMap(({ posts }) => posts.flatMap(({ error }) => error ?? []));
  const next = (data?.publications ?? []).flatMap(({ nextAttemptTime }) => nextAttemptTime ?? []).sort()[0];
  return (
    <section aria-labelledby={title} className="grid gap-3">
      <h2 id={title} className="font-semibold">
        {postWords.receipt.title}
      </h2>
      {next && <p className="text-sm">{postWords.receipt.nextLook(fromNow(new Date(next), nowMs))}</p>}
      <ol className="grid gap-4">
        {steps.map(({ attempt, account }) => (
          <Step
            key={`${attempt.postId}-${attempt.startTime}-${attempt.outcome}`}
            attempt={attempt}
            who={displayName({ accounts, networks }, account)}
            network={accountAndNetwork(account, accounts, networks).network?.name}
            isSaid={errors.includes(attempt.message)}
          />
        ))}
      </ol>
      <p className="text-muted text-xs">{postWords.receipt.never}</p>
    </section>
  );
}

/** `isSaid`: its message is already in the list of accounts, as the error of the publication. */
type StepProps = { attempt: Attempt; who: string; network: string | undefined; isSaid: boolean };

function Step({ attempt: { outcome, message, endTime, times, answer }, who, network, isSaid }: StepProps) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 text-sm">
      <StatusSign of={signs[outcome]} />
      <div>
        <p>
          <span className="font-medium">{postWords.receipt.outcomes[outcome]}</span>{" "}
          <span className="text-muted">
            {who}
            {times > 1 && ` · ${postWords.receipt.times(times)}`}
          </span>
        </p>
        {!isSaid && message !== postWords.receipt.outcomes[outcome] && <p>{message}</p>}
        {answer && <Answer answer={answer} network={network} />}
        <time dateTime={endTime} className="text-muted text-xs">
          {dateAndTime(new Date(endTime))}
        </time>
      </div>
    </li>
  );
}

const signs = {
  PUBLISHED: "PUBLISHED",
  WAITING: "PENDING",
  RETRYING: "LATE",
  LOOKING: "UNKNOWN",
  FAILED: "FAILED",
  UNKNOWN: "UNKNOWN",
} as const satisfies { [outcome in Attempt["outcome"]]: Parameters<typeof StatusSign>[0]["of"] };

type AnswerProps = { answer: NonNullable<Attempt["answer"]>; network: string | undefined };

/** The network's own response, one press away. */
function Answer({ answer: { status, code, message }, network }: AnswerProps) {
  return (
    <details className="text-muted">
      <summary className="min-h-8 content-center">
        {postWords.receipt.answer(network ?? postWords.receipt.theNetwork)}
      </summary>
      <p className="wrap-anywhere font-mono text-xs">
        {status === 0 ? postWords.receipt.noAnswer : postWords.receipt.status(status)}
        {code && ` · ${code}`}
        {message && ` · ${message}`}
      </p>
    </details>
  );
}

/** Returns an account and its network, if they are still connected. */
export function accountAndNetwork(accountId: number, accounts: ApiAccount[], networks: NetworkFacts[]) {
  const account = accounts.find(({ id }) => id === accountId);
  return { account, network: networks.find(({ platform }) => platform === account?.platform) };
}

/** The time until publication in words, while something is still to happen. */
export function waitOf(schedule: ApiSchedule, nowMs: number): string | undefined {
  if (!schedule.scheduledTime || !isAhead(schedule)) return undefined;
  return fromNow(new Date(schedule.scheduledTime), nowMs);
}

/** The exact date with its zone, and the time until then. */
export function When({ schedule, wait }: { schedule: ApiSchedule; wait: string | undefined }) {
  if (!schedule.scheduledTime) return <span className="text-muted text-sm">{postWords.card.noTime}</span>;
  const instant = new Date(schedule.scheduledTime);
  return (
    <p className="text-sm">
      <time dateTime={schedule.scheduledTime} className="font-medium">
        {dateAndTime(instant)}
      </time>{" "}
      <span className="text-muted">{zoneAt(instant)}</span>
      {wait && <span className="text-muted"> · {wait}</span>}
    </p>
  );
}

type PublicationRowProps = {
  /** The state of the whole post. */
  whole: ReturnType<typeof stateOf>;
  publication: ApiPublication;
  account: ApiAccount | undefined;
  network: NetworkFacts | undefined;
  /** The buttons that solve its problem. */
  fixes?: ReactNode;
};

/** One account's publication: status, links, errors and what solves them. */
function PublicationRow({ whole, publication, account, network, fixes }: PublicationRowProps) {
  const who = account ? handleOf(account) : postWords.card.disconnected;
  const where = network?.name ?? publication.platformSettings.type;
  const links = publication.posts.flatMap((post) => linkTo(post, network) ?? []);
  const errors = [...new Set(publication.posts.flatMap(({ error }) => error ?? []))];
  const { firstComment } = publication;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
      <span className="flex min-w-0 flex-1 basis-48 items-center gap-3 sm:-order-2">
        {account && <AccountFace account={account} size="size-9" />}
        <span className="min-w-0 text-sm">
          <span className="font-semibold">
            <Handle>{who}</Handle>
          </span>{" "}
          <span className="text-muted">{where}</span>
        </span>
      </span>
      <Status of={publicationState(publication, whole)} />
      <span className="flex flex-wrap gap-x-3 empty:hidden max-sm:basis-full max-sm:pl-12 sm:-order-1">
        {links.map((link, index) => (
          <a
            key={link}
            href={link}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-8 items-center gap-1 text-accent text-sm underline underline-offset-2 max-sm:min-h-11"
          >
            {links.length > 1 ? postWords.card.post(index + 1) : postWords.card.seePost(where)}
            <span className="sr-only">{postWords.card.ofAccount(who)}</span>
            <ExternalLink aria-hidden className="size-4" />
          </a>
        ))}
      </span>
      {errors.map((error) => (
        <p
          key={error}
          className={`basis-full text-sm ${publication.status === "UNKNOWN" ? "text-warn" : "text-wrong"}`}
        >
          {error}
        </p>
      ))}
      {firstComment && (
        <p className={`basis-full text-sm ${firstComment.error ? "text-warn" : "text-muted"}`}>
          {postWords.card.firstComment[firstComment.status]} {firstComment.error}
        </p>
      )}
      {publication.status === "UNKNOWN" && errors.length === 0 && (
        <p className="basis-full text-muted text-sm">{postWords.card.unknown(where)}</p>
      )}
      {fixes && <div className="flex basis-full flex-wrap gap-2">{fixes}</div>}
    </li>
  );
}

/** The link to a published post. */
function linkTo({ networkPostId, chatId, permalink }: ApiPost, network: NetworkFacts | undefined): string | undefined {
  if (!network?.feedUrl || !networkPostId) return permalink;
  return network.feedUrl + [...(chatId ? [chatId] : []), networkPostId].join("-");
}
