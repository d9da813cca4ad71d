import type { ReactNode } from "react";
import type { Account } from "../api/types";

type Props = { account: Pick<Account, "platform" | "accountUsername">; children: ReactNode };

/** Connects an account again, under the name that its network may ask for. */
export function ReconnectForm({ account, children }: Props) {
  return (
    <form method="post" action="/oauth/connect/new">
      <input type="hidden" name="platform" value={account.platform} />
      <input type="hidden" name="account" value={account.accountUsername} />
      {children}
    </form>
  );
}
