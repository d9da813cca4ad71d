import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { settingsWords } from "./words";

/**
 * Shown on every page until the email address is confirmed.
 * @param isKept without a mail server, mails are shown in the dashboard
 */
export function ConfirmAddress({ email, isKept }: { email: string; isKept: boolean }) {
  const again = (
    <form method="post" action="/confirm-email/again">
      <Button type="submit" look="quiet">
        {settingsWords.sendAgain}
      </Button>
    </form>
  );
  const where = isKept ? (
    <Link href="/settings" className="underline">
      {settingsWords.toYourMail}
    </Link>
  ) : (
    settingsWords.there
  );
  return (
    <Notice tone="warn" action={again} className="mb-8">
      <Sentence text={settingsWords.confirmAddress} parts={{ email: <strong>{email}</strong>, where }} />
    </Notice>
  );
}
