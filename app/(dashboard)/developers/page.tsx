import type { Metadata } from "next";
import { DevelopersFrame } from "@/components/developers/frame";
import { developerWords } from "@/components/developers/words";
import { signedIn } from "@/components/session/signed-in";
import { ArrowRight } from "@/components/ui/icons";
import { listOwnApplications, listPersonalTokens } from "@/lib/oauth";

export const metadata: Metadata = { title: developerWords.pages.developers };

/** The tools for a user's own programs, with links to the documentation. */
export default async function DevelopersPage() {
  const user = await signedIn("/developers");
  const [applications, tokens] = await Promise.all([listOwnApplications(user.id), listPersonalTokens(user.id)]);
  const places = [
    ["/developers/tokens", developerWords.pages.tokensOf(tokens.length), developerWords.pages.tokensAbout],
    [
      "/developers/applications",
      developerWords.pages.applicationsOf(applications.length),
      developerWords.pages.applicationsAbout,
    ],
    ["/developers/requests", developerWords.pages.requests, developerWords.pages.requestsAbout],
    ["/developers/try", developerWords.pages.tryApi, developerWords.pages.tryAbout],
    ["/webhooks", developerWords.pages.webhooks, developerWords.pages.webhooksAbout],
    ["/webhooks/events", developerWords.pages.events, developerWords.pages.eventsAbout],
    ["/docs/getting-started", developerWords.pages.gettingStarted, developerWords.pages.gettingStartedAbout],
    ["/docs", developerWords.pages.reference, developerWords.pages.referenceAbout],
  ] as const;
  return (
    <DevelopersFrame
      title={developerWords.pages.developers}
      here="/developers"
      lead={developerWords.pages.developersLead}
    >
      <ul className="grid gap-3 sm:grid-cols-2 wide:grid-cols-4">
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
