"use client";
import { memo, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useRetrySchedule } from "../api/queries";
import type { ApiAccount, ApiSchedule } from "../api/types";
import { Reconnect } from "../connect/reconnect";
import { Thumbnail as StoredPicture } from "../library/thumbnail";
import { NetworkBadge } from "../networks/badge";
import { kindOf } from "../networks/formats";
import type { NetworkFacts } from "../networks/types";
import { fromNow, timeOfDay } from "../time/format";
import { Play, Text } from "../ui/icons";
import { Link } from "../ui/link";
import { say } from "../ui/toast";
import { canRetry, mediaWords, stateWith, textsOf, troubleOf } from "./facts";
import { ChangesMark, Status } from "./status";
import { tableWords } from "./table-words";
import { postWords } from "./words";

export type PostRowProps = {
  schedule: ApiSchedule;
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  nowMs: number;
  /** Before the row, such as a select box. */
  lead?: ReactNode;
  /** After the row, such as the button of a menu. */
  tail?: ReactNode;
  /** In a column beside others, where the networks are below the text. */
  isBeside?: boolean;
};

/**
 * A post as a row of 64 pixels, in two lines on phones: time, picture, text, networks, state with its reason, and the one
 * action that it needs. It belongs in a list. The size that it has until it is drawn comes without its padding and border.
 */
export function PostRow({ nowMs, ...row }: PostRowProps) {
  // The clock is read here, so that a tick re-renders only rows whose text changes.
  const { schedule, accounts } = row;
  const reason = reasonOf(row, troubleOf(schedule, accounts), nowMs);
  return <Face state={stateWith(schedule, accounts, nowMs)} reason={reason} {...row} />;
}

type Known = Pick<PostRowProps, "schedule" | "accounts" | "networks">;
type FaceProps = Omit<PostRowProps, "nowMs"> & {
  state: Parameters<typeof Status>[0]["of"];
  reason: string | undefined;
};

/** Where the parts of a row are on a wide screen: across the page, or in a column beside others. */
const wide = {
  row: "md:grid-cols-[auto_3.5rem_2.75rem_minmax(0,1fr)_6.75rem_9.25rem_auto] roomy:grid-cols-[auto_3.5rem_2.75rem_minmax(0,1fr)_6.75rem_12rem_11rem_auto]",
  text: "md:row-span-2",
  marks: "md:col-start-5 md:row-span-2 md:row-start-1",
  state: "md:col-start-6",
  stateAboveAction: "roomy:row-span-2",
  action: "md:col-start-6 roomy:col-start-7 roomy:row-span-2 roomy:row-start-1 roomy:mt-0 roomy:justify-self-end",
  tail: "md:col-start-7 roomy:col-start-8",
};
const beside: typeof wide = {
  row: "md:grid-cols-[auto_3.5rem_2.75rem_minmax(0,1fr)_9.25rem_auto]",
  text: "md:self-end",
  marks: "md:col-start-4 md:row-start-2 md:self-start md:pt-0.5",
  state: "md:col-start-5",
  stateAboveAction: "",
  action: "md:col-start-5",
  tail: "md:col-start-6",
};

const Face = memo(function Face({ isBeside, ...props }: FaceProps) {
  const { schedule, accounts, networks, state, reason, lead, tail } = props;
  const place = isBeside ? beside : wide;
  const about = aboutOf(schedule, networks);
  const [text = postWords.card.noText] = textsOf(schedule);
  const action = neededAction({ schedule, accounts, networks }, text.slice(0, 60));
  return (
    <li
      data-post={schedule.id}
      className={`grid min-h-16 grid-cols-[auto_2.75rem_minmax(0,1fr)_auto] items-center gap-x-3 border-line border-b py-2 [contain-intrinsic-size:auto_4rem] [content-visibility:auto] md:[contain-intrinsic-size:auto_3.4375rem] hover:bg-sunk has-[[data-select]:checked]:bg-accent-soft md:px-2 md:py-1 ${place.row}`}
    >
      <span className="row-span-3 empty:hidden md:row-span-2">{lead}</span>
      <Thumbnail schedule={schedule} className="col-start-2 row-span-2 size-11 md:col-start-3" />
      <span className={`col-start-3 min-w-0 md:col-start-4 ${place.text}`}>
        <Link
          href={`/posts/${schedule.id}`}
          data-open
          className="line-clamp-2 font-medium text-sm leading-snug hover:underline md:line-clamp-none md:block md:truncate"
        >
          {text}
        </Link>
        {!isBeside && <span className="hidden truncate text-muted text-xs md:block">{about}</span>}
      </span>
      <span className="col-start-3 row-start-2 mt-1 flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 md:contents">
        <Time schedule={schedule} />
        <Marks schedule={schedule} accounts={accounts} networks={networks} className={place.marks}>
          {isBeside && <span className="ml-1.5 hidden min-w-0 truncate text-muted text-xs md:block">{about}</span>}
        </Marks>
        <span
          className={`ml-auto grid min-w-0 justify-items-start gap-0.5 md:row-start-1 md:ml-0 ${place.state} ${action ? place.stateAboveAction : "md:row-span-2"}`}
        >
          <span className="flex flex-wrap gap-1">
            <Status of={state} />
            <ChangesMark schedule={schedule} isSmall />
          </span>
          {reason && (
            <span title={reason} className="hidden w-full truncate pl-1 text-muted text-xs md:block">
              {reason}
            </span>
          )}
        </span>
      </span>
      {action && (
        <span
          className={`col-start-3 row-start-3 mt-2 grid justify-items-start gap-1.5 md:row-start-2 md:mt-1 ${place.action}`}
        >
          {reason && <span className="line-clamp-2 text-muted text-xs md:hidden">{reason}</span>}
          {action}
        </span>
      )}
      <span className={`col-start-4 row-start-1 empty:hidden md:row-span-2 ${place.tail}`}>{tail}</span>
    </li>
  );
});

function Time({ schedule: { scheduledTime } }: Pick<Known, "schedule">) {
  const look = "whitespace-nowrap text-[0.8125rem] tabular-nums md:col-start-2 md:row-span-2 md:row-start-1";
  if (!scheduledTime) return <span className={`text-muted ${look}`}>–</span>;
  return (
    <time dateTime={scheduledTime} className={`font-semibold ${look}`}>
      {timeOfDay(new Date(scheduledTime))}
    </time>
  );
}

const MARKS = 5;

type MarksProps = Known & { className?: string; children?: ReactNode };

/** The networks that it goes to. */
export function Marks({ schedule, accounts, networks, className = "", children }: MarksProps) {
  const platforms = [
    ...new Set(schedule.publications.map((publication) => networkIn(publication, accounts, networks))),
  ].flatMap((network) => network ?? []);
  const count = schedule.publications.length;
  return (
    <span className={`flex min-w-0 flex-wrap items-center gap-0.5 ${className}`}>
      {platforms.slice(0, MARKS).map(({ platform }) => (
        <NetworkBadge key={platform} platform={platform} className="size-5" />
      ))}
      {platforms.length > MARKS && <span className="text-muted text-xs">+{platforms.length - MARKS}</span>}
      <span className="sr-only">{platforms.map(({ name }) => name).join(", ")}</span>
      {count > platforms.length && (
        <span className="ml-1 text-muted text-xs md:ml-0 md:w-full">{tableWords.accounts(count)}</span>
      )}
      {children}
    </span>
  );
}

type Publication = ApiSchedule["publications"][number];

/** The network of a publication, also if its account is disconnected. */
function networkIn(
  { socialMediaAccountId, platformSettings }: Publication,
  accounts: ApiAccount[],
  networks: NetworkFacts[],
) {
  const account = accounts.find(({ id }) => id === socialMediaAccountId);
  return networks.find(({ platform, settingsType }) =>
    account ? platform === account.platform : settingsType === platformSettings.type,
  );
}

/** Why it has its state, or when it goes out. */
function reasonOf({ schedule, accounts, networks }: Known, trouble: ApiAccount | undefined, nowMs: number) {
  const { overallStatus, publications, scheduledTime } = schedule;
  if (overallStatus === "DRAFT") return scheduledTime && tableWords.notScheduled; // it does not go out at its time
  const nameOf = (publication: Publication) => networkIn(publication, accounts, networks)?.name ?? "";
  if (trouble) {
    const name = networks.find(({ platform }) => platform === trouble.platform)?.name ?? trouble.platform;
    return tableWords.needsReconnecting(name);
  }
  const failed = publications.filter(({ status }) => status === "FAILED" || status === "UNKNOWN");
  const [why] = failed.flatMap(({ posts }) => posts.flatMap(({ error }) => error ?? []));
  if (overallStatus === "PARTIALLY_COMPLETED") return tableWords.notOn([...new Set(failed.map(nameOf))].join(", "));
  if (overallStatus === "FAILED" || overallStatus === "MEDIA_IMPORT_FAILED") return why;
  if (overallStatus === "IN_PROGRESS") {
    const done = publications.filter(({ status }) => status === "PUBLISHED").length;
    return tableWords.publishedTo(done, publications.length);
  }
  return scheduledTime && fromNow(new Date(scheduledTime), nowMs);
}

/** `Thread of 4`, `Reel, 1 video`, `Text only` */
function aboutOf({ publications }: ApiSchedule, networks: NetworkFacts[]): string {
  const longest = publications.reduce<Publication | undefined>(
    (most, one) => (one.posts.length > (most?.posts.length ?? 0) ? one : most),
    undefined,
  );
  const count = longest?.posts.length ?? 0;
  const isThread = networks.some(
    ({ settingsType, posts }) => settingsType === longest?.platformSettings.type && posts?.isThread,
  );
  const kinds = publications.flatMap(({ platformSettings: { publicationType } }) =>
    typeof publicationType === "string" ? (tableWords.kinds[publicationType] ?? []) : [],
  );
  const poll = publications.map(({ platformSettings }) => platformSettings.pollOptions).find(Array.isArray);
  const posts = publications.flatMap((publication) => publication.posts);
  const files = posts.find(({ attachmentPaths = [] }) => attachmentPaths.length > 0)?.attachmentPaths ?? [];
  const facts = [
    count > 1 && (isThread ? tableWords.thread(count) : tableWords.posts(count)),
    ...new Set(kinds),
    poll && tableWords.poll(poll.length),
    mediaWords(files),
  ].filter(Boolean);
  return facts.join(", ") || tableWords.textOnly;
}

const small =
  "inline-flex min-h-9 items-center justify-center whitespace-nowrap rounded-lg border border-edge bg-surface px-3 font-semibold text-[0.8125rem] hover:bg-sunk md:min-h-8";

/** The one action that the post needs, if it needs one. @param name the text, for screen readers */
function neededAction(row: Known, name: string): ReactNode {
  const { schedule, accounts } = row;
  const trouble = troubleOf(schedule, accounts);
  if (trouble) return <ReconnectAction account={trouble} name={name} {...row} />;
  if (!canRetry(schedule)) return null;
  if (!isUncertain(schedule)) return <TryAgain schedule={schedule} name={name} />;
  return (
    <Link href={`/posts/${schedule.id}`} className={small}>
      {tableWords.check}
      <span className="sr-only">{tableWords.ofPost(name)}</span>
    </Link>
  );
}

/** Whether only a person can find out if all of it is out, so trying again needs the page of the post. */
export function isUncertain({ publications }: ApiSchedule): boolean {
  return publications.some(({ status }) => status === "UNKNOWN");
}

/**
 * The start of the first line of a text: all of it, or up to a whole word with an ellipsis, which replaces a full stop or comma and half
 * an emoji.
 */
export function textStart(text: string, characters: number): string {
  const [line = text] = text.split("\n");
  if (line.length <= characters) return line;
  const words = line.slice(0, characters).replace(/\s+\S*$/, "");
  return `${words.replace(/(?:(?<![.,;:…])[.,;:…]+|[\ud800-\udbff])$/, "")}…`;
}

type ActionProps = { schedule: ApiSchedule; name: string };

function ReconnectAction({
  schedule,
  account,
  networks,
  name,
}: ActionProps & Pick<Known, "networks"> & { account: ApiAccount }) {
  const network = networks.find(({ platform }) => platform === account.platform);
  const follow = useAfterReconnect(schedule, network?.name ?? account.platform);
  return (
    <Reconnect account={account} network={network} then={follow}>
      <button type="submit" className={small}>
        {canRetry(schedule) ? tableWords.reconnectAndPublish : tableWords.reconnect}
        <span className="sr-only">{tableWords.ofPost(name)}</span>
      </button>
    </Reconnect>
  );
}

/** What follows once an account of the post is connected again: what has failed is tried again. */
export function useAfterReconnect(schedule: ApiSchedule, network: string): () => void {
  const retry = useRetrySchedule();
  return () => {
    if (!canRetry(schedule)) {
      say((toast) => toast.success(tableWords.isReconnected(network)));
      return;
    }
    retry.mutateAsync({ id: schedule.id }).then(
      () => say((toast) => toast.success(tableWords.isGoingOut)),
      ({ message }: Error) => say((toast) => toast.error(tableWords.notTriedAgain(message))),
    );
  };
}

function TryAgain({ schedule, name }: ActionProps) {
  const retry = useRetrySchedule();
  const onError = ({ message }: Error) => say((toast) => toast.error(tableWords.notTriedAgain(message)));
  return (
    <button
      type="button"
      aria-disabled={retry.isPending}
      onClick={() => retry.isPending || retry.mutate({ id: schedule.id }, { onError })}
      className={small}
    >
      {retry.isPending ? tableWords.tryingAgain : tableWords.tryAgain}
      <span className="sr-only">{tableWords.ofPost(name)}</span>
    </button>
  );
}

type PictureProps = { schedule: ApiSchedule; className?: string };

/** The picture of a post: its cover, or its first file. It is loaded when it comes near the screen. */
export function Thumbnail({ schedule, className = "size-11" }: PictureProps) {
  const place = useRef<HTMLSpanElement>(null);
  const isNear = useIsNear(place);
  const posts = schedule.publications.flatMap(({ posts }) => posts);
  const key = posts.find(({ thumbnail }) => thumbnail)?.thumbnail;
  const path = posts.find(({ attachmentPaths = [] }) => attachmentPaths.length > 0)?.attachmentPaths?.[0];
  return (
    <span
      ref={place}
      aria-hidden
      className={`relative grid shrink-0 place-items-center overflow-hidden rounded-lg bg-sunk text-muted ${className}`}
    >
      {path === undefined ? (
        <Text className="size-4" />
      ) : (
        isNear && <Picture path={key ?? path} isVideo={kindOf(path) === "video"} />
      )}
    </span>
  );
}

function Picture({ path, isVideo }: { path: string; isVideo: boolean }) {
  return (
    <>
      <StoredPicture path={path} className="size-full" />
      {isVideo && (
        <span className="absolute grid size-5 place-items-center rounded-full bg-black/65">
          <Play className="size-2.5 fill-white text-white" />
        </span>
      )}
    </>
  );
}

const waiting = new WeakMap<Element, () => void>();
let watcher: IntersectionObserver | undefined;

/** Whether the element has come near the screen. One observer for all rows, because a list has thousands. */
function useIsNear(place: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || isNear) return;
    watcher ??= new IntersectionObserver(tell, { rootMargin: "400px" });
    waiting.set(element, () => setNear(true));
    watcher.observe(element);
    return () => watcher?.unobserve(element);
  }, [place, isNear]);
  return isNear;
}

function tell(entries: IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
}
