import type { BotConnection } from "@/lib/connect";
import { Button, buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { Notice } from "../ui/notice";
import { Refresh } from "../ui/refresh";
import { Sentence } from "../ui/sentence";
import { accountWords } from "./words";

type Props = { talk: Exclude<BotConnection, { state: "connected" }>; network: string; here: string };

/** Shows how far connecting by a bot has come, and the next step. */
export function BotTalkView({ talk, network, here }: Props) {
  if (talk.state !== "waiting") return <TalkEnded talk={talk} network={network} />;
  return (
    <Card className="grid max-w-xl gap-5">
      <Refresh everyMs={2_000} />
      <ol className="grid list-decimal gap-2 pl-5">
        <li>{accountWords.bot.open}</li>
        <li>
          <Sentence
            text={accountWords.bot.press}
            parts={{
              network,
              start: <strong>{accountWords.bot.start}</strong>,
              yes: <strong>{accountWords.bot.yes}</strong>,
            }}
          />
        </li>
        <li>{accountWords.bot.comeBack}</li>
      </ol>
      <p role="status" className="text-muted">
        {accountWords.bot.waiting}
      </p>
      <div className="flex flex-wrap gap-3">
        <a href={talk.startUrl} target="_blank" rel="noreferrer" className={buttonClass()}>
          {accountWords.bot.openNetwork(network)}
        </a>
        <a href={here} className={buttonClass("quiet")}>
          {accountWords.bot.haveDone}
        </a>
      </div>
    </Card>
  );
}

function TalkEnded({ talk, network }: Omit<Props, "here">) {
  const { reason, reconnects } = talk.state === "failed" ? talk : { reason: "other" as const };
  const texts = {
    "account in use": accountWords.bot.isInUse(network),
    "other account": accountWords.bot.isOther(network),
    declined: accountWords.bot.isDeclined,
    other: accountWords.bot.isOver,
  };
  return (
    <div className="grid max-w-xl gap-4">
      <Notice tone={reason === "account in use" ? "wrong" : "warn"}>{texts[reason]}</Notice>
      <p className="text-muted text-sm">
        <Sentence
          text={accountWords.bot.quoteCode}
          parts={{ code: <code className="rounded bg-sunk px-1.5 py-0.5">{talk.traceCode}</code> }}
        />
      </p>
      <div className="flex flex-wrap gap-3">
        <form method="post" action="/oauth/connect/new">
          {reconnects !== undefined && <input type="hidden" name="reconnects" value={reconnects} />}
          <Button type="submit" name="platform" value={talk.platform}>
            {reason === "other account" ? accountWords.bot.reconnect : accountWords.bot.startAgain}
          </Button>
        </form>
        {reason === "other account" && (
          <form method="post" action="/oauth/connect/new">
            <Button type="submit" look="quiet" name="platform" value={talk.platform}>
              {accountWords.bot.addOther}
            </Button>
          </form>
        )}
      </div>
    </div>
  );
}
