import type { Metadata } from "next";
import { callsOf } from "@/components/developers/calls";
import { DevelopersFrame } from "@/components/developers/frame";
import { TryCall } from "@/components/developers/try-call";
import { signedIn } from "@/components/session/signed-in";
import { openApiDocument } from "@/lib/api";

export const metadata: Metadata = { title: "Try the API" };

/** Every call of the API, made from here as the person who is signed in. */
export default async function TryPage() {
  await signedIn("/developers/try");
  const lead = "Calls are made as you, with your own account: what you change here is changed.";
  return (
    <DevelopersFrame title="Try the API" here="/developers/try" lead={lead}>
      <TryCall calls={callsOf(openApiDocument())} />
    </DevelopersFrame>
  );
}
