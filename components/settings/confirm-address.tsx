import { Button } from "../ui/button";
import { Notice } from "../ui/notice";

/** Stands above every page until somebody who reads the address has said that it is theirs. */
export function ConfirmAddress({ email }: { email: string }) {
  const again = (
    <form method="post" action="/confirm-email/again">
      <Button type="submit" look="quiet">
        Send again
      </Button>
    </form>
  );
  return (
    <Notice tone="warn" action={again} className="mb-8">
      Please confirm <strong>{email}</strong> by the link that we sent there. Until then you get no notices by mail.
    </Notice>
  );
}
