"use client";
import { useState } from "react";
import { type useDisconnect, usePlanned } from "../api/queries";
import type { Account } from "../api/types";
import { Button } from "../ui/button";
import { Confirm } from "../ui/confirm";
import * as words from "../words/accounts";
import { handleOf } from "./names";

type Props = { account: Account; networkName: string; disconnect: ReturnType<typeof useDisconnect> };

/** Takes an account away, once it has been said what that means for what is planned. */
export function Disconnect({ account, networkName, disconnect }: Props) {
  const [isAsked, setAsked] = useState(false);
  const planned = usePlanned(account.id, isAsked);
  return (
    <Confirm
      trigger={
        <Button look="quiet" aria-disabled={disconnect.isPending} aria-label={words.disconnectOne(handleOf(account))}>
          {disconnect.isPending ? words.disconnecting : words.disconnect}
        </Button>
      }
      title={words.disconnectQuestion(handleOf(account))}
      action={words.disconnect}
      onConfirm={() => disconnect.mutate(account.id)}
      onOpenChange={setAsked}
    >
      <p>{words.erased(networkName)}</p>
      <p className="mt-2 font-medium text-ink">{meaning(planned.data)}</p>
      <p className="mt-2">{words.comeBack}</p>
    </Confirm>
  );
}

function meaning(planned: { count: number; isMore: boolean } | undefined): string {
  if (!planned) return words.anyWillFail;
  if (planned.count === 0) return words.nothingPlanned;
  return planned.isMore ? words.moreWillFail(planned.count) : words.willFail(planned.count);
}
