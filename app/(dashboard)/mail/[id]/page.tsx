import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { signedIn } from "@/components/session/signed-in";
import { settingsWords } from "@/components/settings/words";
import { ArrowLeft } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { NotFound } from "@/lib/errors";
import { getStoredMail } from "@/lib/mail";

export const metadata: Metadata = { title: settingsWords.page.mailTitle };

/** A mail that was stored because no mail server is configured. Only its recipient can see it. */
export default async function MailPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const user = await signedIn(`/mail/${id}`);
  const mail = await getStoredMail(user.id, id).catch((error: unknown) => {
    if (error instanceof NotFound) notFound();
    throw error;
  });
  return (
    <div className="grid max-w-2xl gap-6">
      <Link
        href="/settings"
        className="inline-flex min-h-8 items-center gap-2 justify-self-start text-accent underline"
      >
        <ArrowLeft aria-hidden className="size-4" /> {settingsWords.page.settings}
      </Link>
      <h1 className="text-2xl">{mail.subject}</h1>
      <iframe
        title={settingsWords.page.mail}
        src={`/mail/${id}/shown`}
        sandbox="allow-top-navigation-by-user-activation"
        className="h-160 w-full rounded-2xl border border-line"
      />
      <details className="rounded-2xl border border-line bg-surface px-4 py-2">
        <summary className="min-h-11 content-center">{settingsWords.page.mailAsText}</summary>
        <pre className="my-2 overflow-x-auto whitespace-pre-wrap text-sm">{mail.text}</pre>
      </details>
    </div>
  );
}
