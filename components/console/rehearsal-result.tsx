import type { Rehearsed } from "@/lib/connect";
import { Card } from "../ui/card";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { wordsIn } from "../words/connect";
import { Attempts } from "./attempts";
import { consoleWords } from "./words";

/** What became of the newest rehearsal: what the partner's address would have got, and what the person saw. */
export function RehearsalResult({ rehearsed }: { rehearsed: Rehearsed }) {
  const { rehearsal, redirectUri, outcome, trace } = rehearsed;
  return (
    <Card className="grid gap-4">
      <h2 className="font-semibold text-lg">{consoleWords.rehearsalForm.last(rehearsal.title)}</h2>
      {outcome === "connected" && (
        <Notice tone="good">
          <Sentence text={consoleWords.rehearsalForm.connected} parts={{ request: <code>GET {redirectUri}</code> }} />
        </Notice>
      )}
      {outcome === "not connected" && (
        <Notice tone="info">
          <Sentence
            text={consoleWords.rehearsalForm.notConnected}
            parts={{ address: <code>{redirectUri}</code>, page: titleOf(rehearsal.ends) }}
          />
        </Notice>
      )}
      {outcome === "under way" && <p className="text-muted">{consoleWords.rehearsalForm.notFinished}</p>}
      {trace && <Attempts traces={[trace]} empty="" />}
    </Card>
  );
}

function titleOf(ends: Rehearsed["rehearsal"]["ends"]): string {
  if (ends === "connected") return consoleWords.rehearsalForm.yourPage;
  return wordsIn("en").failures[ends]({
    network: consoleWords.rehearsalForm.anyNetwork,
    partner: consoleWords.rehearsalForm.you,
  }).title;
}
