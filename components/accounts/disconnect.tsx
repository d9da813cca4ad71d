"use client";
import { useState } from "react";
import { type useDisconnect, usePlanned } from "../api/queries";
import type { Account } from "../api/types";
import { Button } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { handleOf } from "./names";
import { accountWords } from "./words";

type Props = { account: Account; networkName: string; disconnect: ReturnType<typeof useDisconnect> };

/** Takes an account away, once it has been said what that means for what is planned. */
export function Disconnect({ account, networkName, disconnect }: Props) {
  const [isAsked, setAsked] = useState(false);
  const planned = usePlanned(account.id, isAsked);
  return (
    <Confirm
      trigger={
        <Button
          look="quiet"
          aria-disabled={disconnect.isPending}
          aria-label={accountWords.disconnectOne(handleOf(account))}
        >
          {disconnect.isPending ? accountWords.disconnecting : accountWords.disconnect}
        </Button>
      }
      title={accountWords.disconnectQuestion(handleOf(account))}
      action={accountWords.disconnect}
      onConfirm={() => disconnect.mutate(account.id)}
      onOpenChange={setAsked}
    >
      <p>{accountWords.erased(networkName)}</p>
      <p className="mt-2 font-medium text-ink">{meaning(planned.data)}</p>
      <p className="mt-2">{accountWords.comeBack}</p>
    </Confirm>
  );
}

function meaning(planned: { count: number; isMore: boolean } | undefined): string {
  if (!planned) return accountWords.anyWillFail;
  if (planned.count === 0) return accountWords.nothingPlanned;
  return planned.isMore ? accountWords.moreWillFail(planned.count) : accountWords.willFail(planned.count);
}
