import { ArrowRight } from "lucide-react";
import type { Metadata } from "next";
import { DevelopersFrame } from "@/components/developers/frame";
import { signedIn } from "@/components/session/signed-in";
import * as words from "@/components/words/app-developers";
import { listOwnApplications, listPersonalTokens } from "@/lib/oauth";

export const metadata: Metadata = { title: words.developers };

/** Everything for programs of one's own, and where to read on. */
export default async function DevelopersPage() {
  const user = await signedIn("/developers");
  const [applications, tokens] = await Promise.all([listOwnApplications(user.id), listPersonalTokens(user.id)]);
  const places = [
    ["/developers/tokens", words.tokensOf(tokens.length), words.tokensAbout],
    ["/developers/applications", words.applicationsOf(applications.length), words.applicationsAbout],
    ["/developers/requests", words.requests, words.requestsAbout],
    ["/developers/try", words.tryApi, words.tryAbout],
    ["/webhooks", words.webhooks, words.webhooksAbout],
    ["/webhooks/events", words.events, words.eventsAbout],
    ["/docs/getting-started", words.gettingStarted, words.gettingStartedAbout],
    ["/docs", words.reference, words.referenceAbout],
  ] as const;
  return (
    <DevelopersFrame title={words.developers} here="/developers" lead={words.developersLead}>
      <ul className="grid gap-3 sm:grid-cols-2">
        {places.map(([href, title, about]) => (
          <li key={href}>
            <a
              href={href}
              className="grid h-full content-start gap-1 rounded-2xl border border-line bg-surface p-5 hover:bg-sunk"
            >
              <span className="flex items-center justify-between gap-3 font-semibold text-accent">
                {title}
                <ArrowRight aria-hidden className="size-4 shrink-0" />
              </span>
              <span className="text-muted text-sm">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </DevelopersFrame>
  );
}
