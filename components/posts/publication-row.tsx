import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { AccountFace } from "../accounts/account-face";
import { handleOf } from "../accounts/names";
import type { ApiAccount, ApiPost, ApiPublication, ApiSchedule } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { publicationState } from "./facts";
import { Status } from "./status";
import { postWords } from "./words";

type Props = {
  schedule: ApiSchedule;
  publication: ApiPublication;
  account: ApiAccount | undefined;
  network: NetworkFacts | undefined;
  /** The buttons that solve its problem. */
  fixes?: ReactNode;
};

/** One account's publication: status, links, errors and what solves them. */
export function PublicationRow({ schedule, publication, account, network, fixes }: Props) {
  const who = account ? handleOf(account) : postWords.card.disconnected;
  const where = network?.name ?? publication.platformSettings.type;
  const links = publication.posts.flatMap((post) => linkTo(post, network) ?? []);
  const errors = [...new Set(publication.posts.flatMap(({ error }) => error ?? []))];
  const { firstComment } = publication;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
      {account && <AccountFace account={account} size="size-9" />}
      <span className="min-w-0 flex-1 basis-36 text-sm">
        <span className="font-semibold">{who}</span> <span className="text-muted">{where}</span>
      </span>
      {links.map((link, index) => (
        <a
          key={link}
          href={link}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-8 items-center gap-1 text-accent text-sm underline underline-offset-2"
        >
          {links.length > 1 ? postWords.card.post(index + 1) : postWords.card.seePost(where)}
          <span className="sr-only">{postWords.card.ofAccount(who)}</span>
          <ExternalLink aria-hidden className="size-4" />
        </a>
      ))}
      <Status of={publicationState(publication, schedule.overallStatus)} />
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
      {publication.status === "UNKNOWN" && (
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
