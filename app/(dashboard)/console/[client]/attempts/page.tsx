import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { Attempts } from "@/components/console/attempts";
import { SearchForm } from "@/components/console/forms";
import { ConsoleFrame } from "@/components/console/frame";
import { parseCursor, toCursor } from "@/components/console/table";
import { consoleWords } from "@/components/console/words";
import { type Query, textIn } from "@/components/developers/query";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { findConnectTrace, listConnectTraces } from "@/lib/connect";

export const metadata: Metadata = { title: consoleWords.pages.attempts };

type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query & { after?: string }> };

const LIMIT = 30;

/** The connect attempts and their outcomes, searchable by the code that a person quotes. */
export default async function AttemptsPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/attempts");
  const query = await searchParams;
  const { after } = query;
  const code = textIn(query, "code", 40).trim();
  const found = code ? await findConnectTrace(partner.id, code) : undefined;
  const { items, next } = code
    ? { items: found ? [found] : [], next: undefined }
    : await listConnectTraces(partner.id, { limit: LIMIT, after: parseCursor(after) });
  return (
    <ConsoleFrame partner={partner} here="/attempts" lead={consoleWords.pages.attemptsLead}>
      <SearchForm label={consoleWords.pages.code} name="code" value={code} />
      <Attempts traces={items} empty={code ? consoleWords.pages.noSuchAttempt : consoleWords.pages.noAttempts} />
      {next && (
        <Link href={`?after=${toCursor(next)}`} className={buttonClass("quiet", "justify-self-start")}>
          {consoleWords.pages.older}
        </Link>
      )}
    </ConsoleFrame>
  );
}
