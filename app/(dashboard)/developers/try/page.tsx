import type { Metadata } from "next";
import { callsOf } from "@/components/developers/calls";
import { DevelopersFrame } from "@/components/developers/frame";
import { TryCall } from "@/components/developers/try-call";
import { signedIn } from "@/components/session/signed-in";
import * as words from "@/components/words/app-developers";
import { openApiDocument } from "@/lib/api";

export const metadata: Metadata = { title: words.tryApi };

/** Every call of the API, made from here as the person who is signed in. */
export default async function TryPage() {
  await signedIn("/developers/try");
  return (
    <DevelopersFrame title={words.tryApi} here="/developers/try" lead={words.tryLead}>
      <TryCall calls={callsOf(openApiDocument())} />
    </DevelopersFrame>
  );
}
