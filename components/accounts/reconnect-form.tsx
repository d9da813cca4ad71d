import type { ReactNode } from "react";
import type { ApiAccount } from "../api/types";

type Props = { account: Pick<ApiAccount, "id" | "platform" | "accountUsername">; children: ReactNode };

/** A form that connects the account again, with the user name that some networks ask for. */
export function ReconnectForm({ account, children }: Props) {
  return (
    <form method="post" action="/oauth/connect/new">
      <input type="hidden" name="platform" value={account.platform} />
      <input type="hidden" name="account" value={account.accountUsername} />
      <input type="hidden" name="reconnects" value={account.id} />
      {children}
    </form>
  );
}
