import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { ConsoleFrame } from "@/components/console/frame";
import { Members } from "@/components/console/members";
import { consoleWords } from "@/components/console/words";
import { textIn } from "@/components/developers/query";
import { Notice } from "@/components/ui/notice";
import { listMembers } from "@/lib/partners";

export const metadata: Metadata = { title: consoleWords.members.title };

type Query = { problem?: string | string[] };
type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

/** The members of a partner's console with their roles, which owners can change. */
export default async function MembersPage({ params, searchParams }: Props) {
  const { partner, user } = await consolePartner((await params).client, "/members");
  const problem = textIn(await searchParams, "problem", 300);
  return (
    <ConsoleFrame partner={partner} here="/members" lead={consoleWords.members.lead}>
      {problem && <Notice tone="wrong">{problem}</Notice>}
      <Members partner={partner} members={await listMembers(partner.id)} ownId={user.id} />
    </ConsoleFrame>
  );
}
