import { AlertTriangle, CheckCircle2 } from "lucide-react";
import type { Destination, DestinationProblem } from "@/lib/networks";
import { buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { Refresh } from "../ui/refresh";

type Props = {
  network: string;
  chats: Destination[];
  lost: (Destination & { problem: DestinationProblem })[];
  urls?: { channel: string; group: string };
};

/** What is wrong, and what its owner does about it. */
const MEND: Record<DestinationProblem, string> = {
  REMOVED: "The bot is not in it any more. Add it again with the button below.",
  NO_RIGHT: "The bot may not post there. Open its administrators, choose the bot and switch on “Post messages”.",
};

/** The chats of an account that a bot posts for, kept as they are while their owner adds one elsewhere. */
export function BotChats({ network, chats, lost, urls }: Props) {
  return (
    <div className="grid max-w-xl gap-6">
      <Refresh everyMs={3_000} />
      <Card className="grid gap-4">
        <h2 className="font-semibold">Where it can post</h2>
        <div role="status" className="grid gap-2">
          {chats.length === 0 && <p className="text-muted">Nowhere yet. What you add shows up here by itself.</p>}
          <ul className="grid gap-2">
            {chats.map(({ id, title, type }) => (
              <li key={id} className="flex items-center gap-2">
                <CheckCircle2 aria-hidden className="size-4 shrink-0 text-accent" />
                <span>
                  {title} <span className="text-muted">({type})</span>
                </span>
              </li>
            ))}
            {lost.map(({ id, title, type, problem }) => (
              <li key={id} className="flex gap-2">
                <AlertTriangle aria-hidden className="mt-1 size-4 shrink-0 text-warn" />
                <span>
                  {title} <span className="text-muted">({type})</span>
                  <span className="block text-sm text-warn">{MEND[problem]}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      </Card>
      <Card className="grid gap-4">
        <h2 className="font-semibold">Add one more</h2>
        <p className="text-muted text-sm">
          In a channel the bot has to be an administrator who may post messages; in a group it is enough that it is in.
          A chat that you added it to before it knew you: take it out and add it again.
        </p>
        {urls ? (
          <div className="flex flex-wrap gap-3">
            <a href={urls.channel} target="_blank" rel="noreferrer" className={buttonClass()}>
              Add to a channel
            </a>
            <a href={urls.group} target="_blank" rel="noreferrer" className={buttonClass("quiet")}>
              Add to a group
            </a>
          </div>
        ) : (
          <Notice tone="warn">{network} does not answer just now. Load this page again in a moment.</Notice>
        )}
      </Card>
      <div className="flex flex-wrap gap-3">
        <Link href="/accounts" className={buttonClass("quiet")}>
          Back to your accounts
        </Link>
        {chats.length > 0 && (
          <Link href="/compose" className={buttonClass("quiet")}>
            Write a post
          </Link>
        )}
      </div>
    </div>
  );
}
