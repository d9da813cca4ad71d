"use client";
import { useState } from "react";
import { type useDisconnect, usePlanned } from "../api/queries";
import type { Account } from "../api/types";
import { Button } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { handleOf } from "./names";

type Props = { account: Account; networkName: string; disconnect: ReturnType<typeof useDisconnect> };

/** Takes an account away, once it has been said what that means for what is planned. */
export function Disconnect({ account, networkName, disconnect }: Props) {
  const [isAsked, setAsked] = useState(false);
  const planned = usePlanned(account.id, isAsked);
  return (
    <Confirm
      trigger={
        <Button look="quiet" aria-disabled={disconnect.isPending} aria-label={`Disconnect ${handleOf(account)}`}>
          {disconnect.isPending ? "Disconnecting…" : "Disconnect"}
        </Button>
      }
      title={`Disconnect ${handleOf(account)}?`}
      action="Disconnect"
      onConfirm={() => disconnect.mutate(account.id)}
      onOpenChange={setAsked}
    >
      <p>Carillon erases its permission to post there at once. What is published stays on {networkName}.</p>
      <p className="mt-2 font-medium text-ink">{meaning(planned.data)}</p>
      <p className="mt-2">
        Connect the same account again before their time, and planned posts go out after all: it keeps its place here.
      </p>
    </Confirm>
  );
}

function meaning(planned: { count: number; isMore: boolean } | undefined): string {
  if (!planned) return "Posts that are planned for it will fail when their time comes.";
  if (planned.count === 0) return "Nothing is planned for it.";
  if (planned.count === 1) return "1 planned post will fail when its time comes.";
  return `${planned.isMore ? "More than " : ""}${planned.count} planned posts will fail when their time comes.`;
}
