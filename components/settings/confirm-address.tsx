import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";

/**
 * Stands above every page until somebody who reads the address has said that it is theirs.
 * @param isKept without a mail server the mail stands in the dashboard
 */
export function ConfirmAddress({ email, isKept }: { email: string; isKept: boolean }) {
  const again = (
    <form method="post" action="/confirm-email/again">
      <Button type="submit" look="quiet">
        Send again
      </Button>
    </form>
  );
  return (
    <Notice tone="warn" action={again} className="mb-8">
      Please confirm <strong>{email}</strong> by the link that we sent{" "}
      {isKept ? (
        <Link href="/settings" className="underline">
          to your mail here
        </Link>
      ) : (
        "there"
      )}
      . Until then you get no notices by mail.
    </Notice>
  );
}
