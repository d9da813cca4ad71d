import type { Metadata } from "next";
import { tryableCalls } from "@/components/developers/calls";
import { DevelopersFrame } from "@/components/developers/frame";
import { TryCall } from "@/components/developers/try-call";
import { developerWords } from "@/components/developers/words";
import { realNetworkNames } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { openApiDocument } from "@/lib/api";

export const metadata: Metadata = { title: developerWords.pages.tryApi };

type Props = { searchParams: Promise<{ call?: string | string[] }> };

/** Tries any API call as the signed-in user. `?call=` chooses one by its `operationId`. */
export default async function TryPage({ searchParams }: Props) {
  const { call } = await searchParams;
  const chosen = typeof call === "string" ? `?${new URLSearchParams({ call })}` : "";
  await signedIn(`/developers/try${chosen}`);
  return (
    <DevelopersFrame
      title={developerWords.pages.tryApi}
      here="/developers/try"
      lead={developerWords.pages.tryLead}
      isSplit
    >
      <TryCall calls={tryableCalls(openApiDocument())} realNetworks={realNetworkNames()} />
    </DevelopersFrame>
  );
}
