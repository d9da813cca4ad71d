import type { Rehearsed } from "@/lib/connect";
import { Card } from "../ui/card";
import { Notice } from "../ui/notice";
import { wordsIn } from "../words/connect";
import { Attempts } from "./attempts";

/** What became of the newest rehearsal: what the partner's address would have got, and what the person saw. */
export function RehearsalResult({ rehearsed }: { rehearsed: Rehearsed }) {
  const { rehearsal, redirectUri, outcome, trace } = rehearsed;
  return (
    <Card className="grid gap-4">
      <h2 className="font-semibold text-lg">Last rehearsal: {rehearsal.title}</h2>
      {outcome === "connected" && (
        <Notice tone="good">
          Connected. The browser would have been sent to your address, byte for byte and with nothing appended:{" "}
          <code>GET {redirectUri}</code>
        </Notice>
      )}
      {outcome === "not connected" && (
        <Notice tone="info">
          Your address <code>{redirectUri}</code> got nothing: nobody is sent there unless an account was connected. The
          person saw “{titleOf(rehearsal.ends)}” and could start again or come back to you.
        </Notice>
      )}
      {outcome === "under way" && (
        <p className="text-muted">Not finished: the person is still on the network’s page.</p>
      )}
      {trace && <Attempts traces={[trace]} empty="" />}
    </Card>
  );
}

function titleOf(ends: Rehearsed["rehearsal"]["ends"]): string {
  if (ends === "connected") return "your own page";
  return wordsIn("en").failures[ends]({ network: "the network", partner: "you" }).title;
}
