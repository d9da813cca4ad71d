import { ArrowRight } from "lucide-react";
import type { Metadata } from "next";
import { DevelopersFrame } from "@/components/developers/frame";
import { signedIn } from "@/components/session/signed-in";
import { listOwnApplications, listPersonalTokens } from "@/lib/oauth";

export const metadata: Metadata = { title: "Developers" };

/** Everything for programs of one's own, and where to read on. */
export default async function DevelopersPage() {
  const user = await signedIn("/developers");
  const [applications, tokens] = await Promise.all([listOwnApplications(user.id), listPersonalTokens(user.id)]);
  const places = [
    [
      "/developers/tokens",
      `Personal tokens (${tokens.length})`,
      "For scripts of your own: they act as you, within what you choose.",
    ],
    [
      "/developers/applications",
      `Applications (${applications.length})`,
      "For other people: each allows your application in, and can end that.",
    ],
    ["/developers/requests", "Requests", "What was asked of the API lately in your name, and how each ended."],
    ["/developers/try", "Try the API", "Every call, with your own account, from this page."],
    ["/webhooks", "Webhooks", "Addresses of yours that are told what happens, signed."],
    ["/webhooks/events", "Events", "Everything that has happened, as webhooks tell it."],
    ["/docs/getting-started", "Getting started", "The whole way, command by command."],
    ["/docs", "API reference", "Every call, field and refusal."],
  ] as const;
  return (
    <DevelopersFrame title="Developers" here="/developers" lead="Programs that publish in your name, and in others’.">
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
