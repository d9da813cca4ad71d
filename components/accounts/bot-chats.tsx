import type { Destination, DestinationProblem } from "@/lib/networks";
import { buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { CheckCircle2, TriangleAlert } from "../ui/icons";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { Refresh } from "../ui/refresh";
import { accountWords } from "./words";

type Props = {
  network: string;
  chats: Destination[];
  lost: (Destination & { problem: DestinationProblem })[];
  urls?: { channel: string; group: string };
};

/** The chats that a bot can post to. The list stays in place while the owner adds a chat elsewhere. */
export function BotChats({ network, chats, lost, urls }: Props) {
  return (
    <div className="grid max-w-xl gap-6">
      <Refresh everyMs={3_000} />
      <Card className="grid gap-4">
        <h2 className="font-semibold">{accountWords.bot.whereTo}</h2>
        <div role="status" className="grid gap-2">
          {chats.length === 0 && <p className="text-muted">{accountWords.bot.nowhere}</p>}
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
                <TriangleAlert aria-hidden className="mt-1 size-4 shrink-0 text-warn" />
                <span>
                  {title} <span className="text-muted">({type})</span>
                  <span className="block text-sm text-warn">{accountWords.bot.problems[problem]}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      </Card>
      <Card className="grid gap-4">
        <h2 className="font-semibold">{accountWords.bot.add}</h2>
        <p className="text-muted text-sm">{accountWords.bot.howToAdd}</p>
        {urls ? (
          <div className="flex flex-wrap gap-3">
            <a href={urls.channel} target="_blank" rel="noreferrer" className={buttonClass()}>
              {accountWords.bot.addChannel}
            </a>
            <a href={urls.group} target="_blank" rel="noreferrer" className={buttonClass("quiet")}>
              {accountWords.bot.addGroup}
            </a>
          </div>
        ) : (
          <Notice tone="warn">{accountWords.bot.noAnswer(network)}</Notice>
        )}
      </Card>
      <div className="flex flex-wrap gap-3">
        <Link href="/accounts" className={buttonClass("quiet")}>
          {accountWords.bot.back}
        </Link>
        {chats.length > 0 && (
          <Link href="/compose" className={buttonClass("quiet")}>
            {accountWords.bot.write}
          </Link>
        )}
      </div>
    </div>
  );
}
