import { randomUUID } from "node:crypto";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { Compose } from "@/components/compose/compose";
import { waysOutWords } from "@/components/compose/draft/words";
import { composePageWords } from "@/components/compose/page-words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { listQueues } from "@/lib/accounts";
import { listSchedules } from "@/lib/schedules";
import { parseId } from "@/lib/text";

type Query = { at?: string | string[]; edit?: string | string[]; copy?: string | string[] };
type Props = { searchParams: Promise<Query> };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { edit } = await searchParams;
  return { title: scheduleIn(edit, false) ? composePageWords.change : composePageWords.writeTitle };
}

export default async function ComposePage({ searchParams }: Props) {
  const { at, edit, copy } = await searchParams;
  const from = scheduleIn(edit, false) ?? scheduleIn(copy, true);
  const user = await signedIn(from ? `/compose?${from.isCopy ? "copy" : "edit"}=${from.id}` : "/compose");
  const [queues, languages] = await Promise.all([listQueues(user.id), firstLanguages(user.id)]);
  const hasQueue = queues.some(({ minutes }) => minutes.length > 0);
  return (
    <Compose
      networks={networkFacts({ languages })}
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
  const schedule = typeof id === "string" ? parseId(id) : undefined;
  return schedule === undefined ? undefined : { id: schedule, isCopy };
}

/** Among this many posts. */
const RECENT = 20;

/**
 * The languages of a new post on Bluesky, whose readers filter by them: those of the person's newest post there that has any, or
 * the browser's. One per line, as the field shows them.
 */
async function firstLanguages(userId: string): Promise<string | undefined> {
  const { items } = await listSchedules(userId, { platform: "BLUE_SKY", limit: RECENT });
  const settings = items.flatMap(({ publications }) => publications.map((publication) => publication.settings));
  const used = settings.map(({ languages }) => languages).find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(used)) return used.join("\n");
  // Without the country: readers choose languages only.
  return /^[a-z]{2,3}(?=[-,;]|$)/i.exec((await headers()).get("accept-language") ?? "")?.[0].toLowerCase();
}
