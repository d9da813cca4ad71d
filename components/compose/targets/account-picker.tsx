import { memo } from "react";
import type { UseFormRegisterReturn, UseFormReturn } from "react-hook-form";
import { AccountFace } from "../../accounts/account-face";
import { handleOf } from "../../accounts/names";
import type { ApiAccount } from "../../api/types";
import type { NetworkFacts } from "../../networks/types";
import { buttonClass } from "../../ui/button";
import { Link } from "../../ui/link";
import { ACCOUNTS_ID } from "../check/fixes";
import type { Draft } from "../draft/draft";
import { composeWords } from "../words";

type Props = { accounts: ApiAccount[]; networks: NetworkFacts[]; form: UseFormReturn<Draft> };

/** The accounts as checkboxes; a post goes to all that are ticked. */
export const AccountPicker = memo(function AccountPicker({ accounts, networks, form }: Props) {
  const field = form.register("accountIds");
  return (
    <fieldset id={ACCOUNTS_ID} tabIndex={-1} className="min-w-0">
      <legend className="mb-2 font-semibold">{composeWords.postTo}</legend>
      {accounts.length === 0 && (
        <div className="grid justify-items-start gap-3 rounded-xl bg-sunk p-4">
          <p>{composeWords.noAccount}</p>
          <Link href="/accounts" className={buttonClass("primary")}>
            {composeWords.connect}
          </Link>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {accounts.map((account) => (
          <AccountChip
            key={account.id}
            account={account}
            networkName={networks.find(({ platform }) => platform === account.platform)?.name ?? account.platform}
            field={field}
          />
        ))}
      </div>
    </fieldset>
  );
});

type ChipProps = { account: ApiAccount; networkName: string; field: UseFormRegisterReturn };

function AccountChip({ account, networkName, field }: ChipProps) {
  return (
    <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-xl border border-edge bg-surface py-1.5 pr-3 pl-2 has-checked:border-accent has-focus-visible:outline-3 has-checked:bg-accent-soft has-focus-visible:outline-accent has-focus-visible:outline-offset-2">
      <AccountFace account={account} size="size-9" />
      <span className="text-sm leading-tight">
        <span className="block font-medium">{handleOf(account)}</span>
        <span className="block text-muted">
          {account.state === "RECONNECT_REQUIRED" ? composeWords.toReconnect(networkName) : networkName}
        </span>
      </span>
      <input type="checkbox" value={account.id} {...field} className="size-5 accent-(--accent) outline-none" />
    </label>
  );
}
