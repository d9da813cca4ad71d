import type { BotTalk } from "@/lib/connect";
import { Button, buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { Notice } from "../ui/notice";
import { Refresh } from "../ui/refresh";

type Props = { talk: Exclude<BotTalk, { state: "connected" }>; network: string; here: string };

/** How a talk with the bot stands, and the one next step. */
export function BotTalkView({ talk, network, here }: Props) {
  if (talk.state !== "waiting") return <TalkEnded talk={talk} network={network} />;
  return (
    <Card className="grid max-w-xl gap-5">
      <Refresh everyMs={2_000} />
      <ol className="grid list-decimal gap-2 pl-5">
        <li>Open the bot with the button below. The link carries a code of yours, works once, and for 15 minutes.</li>
        <li>
          In {network}, press <strong>Start</strong>.
        </li>
        <li>Come back here. The next page adds your channels and groups.</li>
      </ol>
      <p role="status" className="text-muted">
        Waiting for you to press Start…
      </p>
      <div className="flex flex-wrap gap-3">
        <a href={talk.startUrl} target="_blank" rel="noreferrer" className={buttonClass()}>
          Open {network}
        </a>
        <a href={here} className={buttonClass("quiet")}>
          I have done this
        </a>
      </div>
    </Card>
  );
}

function TalkEnded({ talk, network }: Omit<Props, "here">) {
  const isInUse = talk.state === "failed" && talk.isInUse;
  return (
    <div className="grid max-w-xl gap-4">
      <Notice tone={isInUse ? "wrong" : "warn"}>
        {isInUse
          ? `This ${network} account was already used by another user of this service. Have it disconnected there first, or start again from another ${network} account.`
          : "This link is no longer good: it works once, for 15 minutes. Nothing was connected."}
      </Notice>
      <p className="text-muted text-sm">
        If you ask for help, quote this code: <code className="rounded bg-sunk px-1.5 py-0.5">{talk.traceCode}</code>
      </p>
      <form method="post" action="/oauth/connect/new">
        <Button type="submit" name="platform" value={talk.platform}>
          Start again
        </Button>
      </form>
    </div>
  );
}
