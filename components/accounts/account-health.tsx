"use client";
import { AlertTriangle, CheckCircle2, Clock } from "lucide-react";
import type { Account } from "../api/types";
import { instantOf } from "./instant";
import { accountWords } from "./words";

type Props = { account: Account; networkName: string };

const SOON_MS = 7 * 86_400_000;

/** How an account is, since when, and until when its permission lasts where only its person can renew it. */
export function AccountHealth({ account, networkName }: Props) {
  const { state, stateTime, stateReason, permissionEndsTime } = account;
  if (state !== "ACTIVE") {
    const since = instantOf(stateTime).words;
    return (
      <div className="mt-1 text-sm text-warn">
        <p className="flex items-center gap-1.5 font-medium">
          <AlertTriangle aria-hidden className="size-4 shrink-0" />
          {accountWords.needsYou}
        </p>
        <p className="mt-0.5 text-muted">
          {stateReason ? accountWords.sinceBecause(stateReason.replace(/\.$/, ""), since) : accountWords.since(since)}
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
        {accountWords.connected}
      </p>
      {end && (
        <p className={`mt-0.5 flex items-center gap-1.5 ${isSoon ? "text-warn" : "text-muted"}`}>
          <Clock aria-hidden className="size-4 shrink-0" />
          {accountWords.permissionEnds(networkName, end.words)}
        </p>
      )}
    </div>
  );
}
