import { randomUUID } from "node:crypto";
import type { Metadata } from "next";
import { Compose } from "@/components/compose/compose";
import { waysOutWords } from "@/components/compose/draft/words";
import { composePageWords } from "@/components/compose/page-words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { listQueues } from "@/lib/accounts";

export const metadata: Metadata = { title: composePageWords.writeTitle };

type Query = { at?: string | string[]; edit?: string | string[]; copy?: string | string[] };

export default async function ComposePage({ searchParams }: { searchParams: Promise<Query> }) {
  const { at, edit, copy } = await searchParams;
  const from = scheduleIn(edit, false) ?? scheduleIn(copy, true);
  const user = await signedIn(from ? `/compose?${from.isCopy ? "copy" : "edit"}=${from.id}` : "/compose");
  const hasQueue = (await listQueues(user.id)).some(({ minutes }) => minutes.length > 0);
  return (
    <Compose
      networks={networkFacts()}
      words={waysOutWords}
      userId={user.id}
      at={localTime(at)}
      hasQueue={hasQueue}
      from={from}
      opening={randomUUID()}
    />
  );
}

/** A time in the format of a `datetime-local` field, as the calendar passes it. */
function localTime(at: Query["at"]): string | undefined {
  return typeof at === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(at) ? at : undefined;
}

function scheduleIn(id: Query["edit"], isCopy: boolean) {
  return typeof id === "string" && /^\d{1,15}$/.test(id) ? { id: Number(id), isCopy } : undefined;
}
