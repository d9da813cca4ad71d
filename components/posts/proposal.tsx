"use client";
import { useIsFetching, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useRef, useState } from "react";
import { handleOf } from "../accounts/names";
import { callApi, readAnew } from "../api/client";
import { useChatsOf } from "../api/queries";
import type { ApiAccount, ApiPublication, ApiSchedule, Chat } from "../api/types";
import { type StoredFile, useStoredFiles } from "../library/stored-files";
import { NetworkBadge } from "../networks/badge";
import { kindOf, stillOf } from "../networks/formats";
import type { NetworkFacts } from "../networks/types";
import { Still } from "../previews/media";
import { dateAndTime } from "../time/format";
import { zoneAt } from "../time/zone";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Check } from "../ui/icons";
import { Notice } from "../ui/notice";
import { say } from "../ui/toast";
import { postWords } from "./words";

/** The texts of a proposal. They are here because the calendar loads words.ts, and only the page of a post needs these. */
const words = {
  title: "Proposed post",
  /** `when`: "1 May 2031 at 12:00" */
  proposed: (application: string, when: string) => `${application} proposed this post on ${when}.`,
  approved: (application: string, when: string) => `Proposed by ${application}. Approved on ${when}.`,
  explained:
    "Nothing is published until you approve it. You approve exactly what this list shows: check all of it, because the preview below leaves parts out. If anything changes afterwards, the approval no longer counts.",
  changed: "This post has changed since you opened it. The list shows the old version.",
  showNew: "Show the new version",
  incomplete: "You can approve the post as soon as all of its accounts, destinations and files are shown here.",
  approve: "Approve and schedule",
  /** For a proposal without a time. */
  approveNow: "Approve and publish now",
  approving: "Approving…",
  done: "Approved.",
  failed: (why: string) => `Not approved: ${why}`,

  time: "Time",
  now: "As soon as you approve it",
  account: "Account",
  post: (number: number) => `Post ${number}`,
  text: "Text",
  destination: "Destination",
  file: (number: number, of: number) => (of === 1 ? "File" : `File ${number} of ${of}`),
  cover: "Cover",
  altText: (text: string) => `Alt text: ${text}`,
  noAltText: "No alt text",
  settings: "Settings, under their names in the API",
  notStored: "Carillon does not have this file yet",
};

type Props = { schedule: ApiSchedule; accounts: ApiAccount[]; networks: NetworkFacts[] };

/** A post that an application proposed: who proposed it, and, while it waits, the list of what its owner approves. */
export function ProposalCard({ schedule, accounts, networks }: Props) {
  const [shown, show] = useState(schedule);
  const { proposal, overallStatus } = schedule;
  if (!proposal) return null;
  if (overallStatus === "DRAFT") return <Waiting {...{ schedule, accounts, networks, shown, show }} />;
  const { application, approvedTime } = proposal;
  if (!approvedTime) return null;
  return <p className="text-muted text-sm">{words.approved(application, dateAndTime(new Date(approvedTime)))}</p>;
}

/** `shown`: the version that the person reads. A later one replaces it only when they ask for it. */
type WaitingProps = Props & { shown: ApiSchedule; show: (version: ApiSchedule) => void };

/**
 * The list of everything that an approval covers, and the button that approves it. The button sends the digest of the version in
 * the list, so the server refuses it if the post has changed since the person read it.
 */
function Waiting({ schedule, shown, show, accounts, networks }: WaitingProps) {
  const cache = useQueryClient();
  const title = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { id, scheduledTime, publications, proposal } = shown;
  const { mutate, isPending } = useMutation({
    mutationFn: (body: { digest: string; scheduledTime: string }) =>
      callApi<ApiSchedule>(`/v1/posts/${id}/approve`, { method: "POST", body }),
    onSettled: () => readAnew(cache, { queryKey: ["schedule", String(id)] }, { queryKey: ["schedules"] }),
    onSuccess: () => say((toast) => toast.success(words.done)),
    onError: ({ message }) => say((toast) => toast.error(words.failed(message))),
  });
  const used = accounts.filter((account) => publications.some((one) => one.socialMediaAccountId === account.id));
  const isDestined = ({ platform }: ApiAccount) => networks.find((one) => one.platform === platform)?.destinations;
  const chats = useChatsOf(used.filter(isDestined)).flatMap((some) => some ?? []);
  const areChatsLoading = useIsFetching({ queryKey: ["chats"], predicate: ({ state }) => state.status === "pending" });
  const paths = publications.flatMap(({ posts }) =>
    posts.flatMap(({ attachmentPaths = [], thumbnail = [] }) => attachmentPaths.concat(thumbnail)),
  );
  const files = useStoredFiles(paths);
  if (!proposal) return null;
  const isComplete =
    !areChatsLoading &&
    publications.every(({ socialMediaAccountId }) => used.some((account) => account.id === socialMediaAccountId)) &&
    paths.every((path) => files.has(path));
  const hasChanged = schedule.proposal?.digest !== proposal.digest;
  const isOff = isPending || hasChanged || !isComplete;
  const approve = () => mutate({ digest: proposal.digest, scheduledTime: scheduledTime ?? new Date().toISOString() });
  const showNew = () => {
    show(schedule);
    heading.current?.focus(); // the button that had the focus is gone
  };
  return (
    <section aria-labelledby={title}>
      <Card className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h2 ref={heading} id={title} tabIndex={-1} className="font-semibold outline-none">
          {words.title}
        </h2>
        <p>{words.proposed(proposal.application, dateAndTime(new Date(proposal.proposedTime)))}</p>
        <p className="text-muted text-sm">{words.explained}</p>
        <ProposedContent {...{ schedule: shown, accounts, networks, chats, files }} />
        {hasChanged && (
          <Notice
            tone="warn"
            action={
              <Button look="quiet" onClick={showNew}>
                {words.showNew}
              </Button>
            }
          >
            {words.changed}
          </Notice>
        )}
        {!isComplete && <p className="text-muted text-sm">{words.incomplete}</p>}
        <Button className="justify-self-start" aria-disabled={isOff} onClick={() => isOff || approve()}>
          <Check aria-hidden className="size-4" />{" "}
          {isPending ? words.approving : scheduledTime ? words.approve : words.approveNow}
        </Button>
      </Card>
    </section>
  );
}

type ContentProps = Props & {
  /** The destinations of all accounts, for their titles. */
  chats: Chat[];
  /** The stored files by path, for their pictures. */
  files: Map<string, StoredFile>;
};

/**
 * Everything that an approval covers, in full and as it is stored: the time, and of each account its posts and all its settings
 * under their names in the API. Settings are listed without knowing them, so a new one is never missing.
 */
export function ProposedContent({ schedule, accounts, networks, chats, files }: ContentProps) {
  const { scheduledTime, publications } = schedule;
  const at = scheduledTime && new Date(scheduledTime);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <dl>
        <Entry label={words.time}>{at ? `${dateAndTime(at)}, ${zoneAt(at)} (${scheduledTime})` : words.now}</Entry>
      </dl>
      {publications.map((publication) => {
        const account = accounts.find(({ id }) => id === publication.socialMediaAccountId);
        const network = networks.find(({ platform }) => platform === account?.platform);
        const name = account ? handleOf(account) : postWords.card.disconnected;
        return (
          <div key={publication.id} className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t pt-3">
            <h3 className="wrap-anywhere flex flex-wrap items-center gap-x-2 font-semibold">
              {account && <NetworkBadge platform={account.platform} className="size-5" />}
              <bdi>{name}</bdi>{" "}
              <span className="font-normal text-muted">{network?.name ?? publication.platformSettings.type}</span>
            </h3>
            <dl className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <Entry label={words.account}>
                {account?.accountDisplayName} ({publication.socialMediaAccountId})
              </Entry>
            </dl>
            {publication.posts.map((post, index) => (
              <ProposedPost
                key={post.id}
                {...{ post, files, chats }}
                known={schedule.proposal?.files ?? []}
                title={publication.posts.length > 1 ? words.post(index + 1) : undefined}
              />
            ))}
            <h4 className="font-medium text-sm">{words.settings}</h4>
            <dl className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {Object.entries(publication.platformSettings).map(([setting, value]) => (
                <Entry key={setting} label={setting}>
                  {valueWords(value)}
                </Entry>
              ))}
            </dl>
          </div>
        );
      })}
    </div>
  );
}

/** Texts as they are, everything else as JSON. */
function valueWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

type KnownFile = NonNullable<NonNullable<ApiSchedule["proposal"]>["files"]>[number];
type PostProps = Pick<ContentProps, "chats" | "files"> & {
  post: ApiPublication["posts"][number];
  /** The names and alt texts that the digest covers. */
  known: KnownFile[];
  title: string | undefined;
};

function ProposedPost({ post, chats, files, known, title }: PostProps) {
  const { content, chatId, attachmentPaths = [], thumbnail } = post;
  const fileAt = (path: string) => (
    <FileEntry path={path} known={known.find((file) => file.path === path)} stored={files.get(path)} />
  );
  return (
    <>
      {title && <h4 className="font-medium text-sm">{title}</h4>}
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {chatId && (
          <Entry label={words.destination}>
            <bdi>{chats.find(({ id }) => id === chatId)?.title}</bdi> (<bdi>{chatId}</bdi>)
          </Entry>
        )}
        <Entry label={words.text}>{content ?? postWords.card.noText}</Entry>
        {attachmentPaths.map((path, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a post can have the same file twice, and the list never changes
          <Entry key={index} label={words.file(index + 1, attachmentPaths.length)}>
            {fileAt(path)}
          </Entry>
        ))}
        {thumbnail && <Entry label={words.cover}>{fileAt(thumbnail)}</Entry>}
      </dl>
    </>
  );
}

type FileProps = { path: string; known: KnownFile | undefined; stored: StoredFile | undefined };

/** A file with its name and alt text, and a link that opens it. A file that is still to be fetched has only its address. */
function FileEntry({ path, known, stored }: FileProps) {
  if (!known) return `${path}\n${words.notStored}`;
  const kind = kindOf(path, stored);
  return (
    <span className="flex items-start gap-3">
      {stored && kind !== "document" && (
        <Still src={stillOf(stored.url, kind)} alt="" className="size-16 shrink-0 rounded-lg object-cover" />
      )}
      <span className="grid min-w-0 gap-0.5">
        {stored ? (
          <a
            href={stored.url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-8 items-center text-accent underline underline-offset-2"
          >
            {known.filename}
          </a>
        ) : (
          known.filename
        )}
        <span>{known.altText ? words.altText(known.altText) : words.noAltText}</span>
        <span className="text-muted text-xs">{path}</span>
      </span>
    </span>
  );
}

/** A label with its value, whose line breaks and spaces are kept. They are beside each other where there is room. */
function Entry({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-0.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="wrap-anywhere text-muted text-xs leading-5">{label}</dt>
      <dd dir="auto" className="wrap-anywhere whitespace-pre-wrap text-sm">
        {children}
      </dd>
    </div>
  );
}
