"use client";
import { AlertTriangle, CheckCircle2, Clock } from "lucide-react";
import type { Account } from "../api/types";
import { instantOf } from "./instant";

type Props = { account: Account; networkName: string };

const SOON_MS = 7 * 86_400_000;

/** How an account is, since when, and until when its permission lasts where only its person can renew it. */
export function AccountHealth({ account, networkName }: Props) {
  const { state, stateTime, stateReason, permissionEndsTime } = account;
  if (state !== "ACTIVE") {
    return (
      <div className="mt-1 text-sm text-warn">
        <p className="flex items-center gap-1.5 font-medium">
          <AlertTriangle aria-hidden className="size-4 shrink-0" />
          Needs to be connected again; what is scheduled waits
        </p>
        <p className="mt-0.5 text-muted">
          {stateReason && `${stateReason.replace(/\.$/, "")}. `}Since {instantOf(stateTime).words}.
        </p>
      </div>
    );
  }
  const end = permissionEndsTime ? instantOf(permissionEndsTime) : undefined;
  const isSoon = end !== undefined && end.ms - Date.now() < SOON_MS;
  return (
    <div className="mt-1 text-sm">
      <p className="flex items-center gap-1.5 font-medium text-accent">
        <CheckCircle2 aria-hidden className="size-4 shrink-0" />
        Connected
      </p>
      {end && (
        <p className={`mt-0.5 flex items-center gap-1.5 ${isSoon ? "text-warn" : "text-muted"}`}>
          <Clock aria-hidden className="size-4 shrink-0" />
          {networkName} ends this permission on {end.words}; connect again before then.
        </p>
      )}
    </div>
  );
}
