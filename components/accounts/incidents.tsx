"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiFailure, callApi, readAnew } from "../api/client";
import { everySchedule } from "../api/every-schedule";
import { waited } from "../api/move-all";
import type { ApiAccount, ApiSchedule } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { textsOf } from "../posts/facts";
import { postWords } from "../posts/words";
import { dateAndTime } from "../time/format";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";
import { say } from "../ui/toast";
import { displayName, handleOf, instantOf } from "./names";
import { ReconnectForm } from "./reconnect-form";
import { accountWords } from "./words";

type Props = { accounts: ApiAccount[]; networks: NetworkFacts[] };

/** One notice per account that must be connected again, however many posts it has. */
export function Incidents({ accounts, networks }: Props) {
  const incidents = accounts.filter(({ state }) => state === "RECONNECT_REQUIRED");
  if (incidents.length === 0) return null;
  return (
    <section aria-label={accountWords.reconnect.needsYou} className="grid gap-3">
      {incidents.map((account) => (
        <Notice
          key={account.id}
          tone="warn"
          action={
            <ReconnectForm account={account}>
              <Button
                type="submit"
                aria-label={accountWords.reconnect.reconnectOne(displayName({ accounts, networks }, account.id))}
              >
                {accountWords.reconnect.reconnect}
              </Button>
            </ReconnectForm>
          }
        >
          {accountWords.reconnect.needed(
            handleOf(account),
            nameOf(account, networks),
            instantOf(account.stateTime).words,
          )}
        </Notice>
      ))}
    </section>
  );
}

function nameOf({ platform }: ApiAccount, networks: NetworkFacts[]): string {
  return networks.find((network) => network.platform === platform)?.name ?? platform;
}

const SHOWN = 5;
const DAY_MS = 86_400_000;
/** A post that failed longer ago than this is no longer offered here. */
const MISSED_FOR_DAYS = 30;

/**
 * The posts that failed while their account needed reconnecting, once it is connected again. They are published only when a
 * person presses the button, because they would be late.
 */
export function MissedPosts({ accounts, networks }: Props) {
  const [isWhole, setWhole] = useState(false);
  const missed = useQuery({
    queryKey: ["schedules", "missed"],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - MISSED_FOR_DAYS * DAY_MS).toISOString();
      // By status, so that the answer is fast and complete at any number of posts.
      const { items } = await everySchedule({ missed: "true", status: "FAILED,PARTIALLY_COMPLETED", from }, signal);
      return items.sort(latestFirst);
    },
  });
  const missedOn = (schedule: ApiSchedule) => missedAccountsOf(schedule, accounts);
  const publish = usePublishLate(missedOn);
  const leave = useLeave(missedOn);
  const isBusy = publish.isPending || leave.isPending;
  const items = missed.data ?? [];
  if (items.length === 0) return null;
  const shown = isWhole ? items : items.slice(0, SHOWN);
  const words = accountWords.missed;
  return (
    <Card className="border-warn">
      <section aria-labelledby="missed" className="grid gap-4">
        <div className="flex flex-wrap items-start justify-between gap-4">
          <div className="min-w-0 flex-1 basis-64">
            <h2 id="missed" className="font-semibold text-lg">
              {words.title(items.length)}
            </h2>
            <p className="mt-1 text-muted">{words.lead}</p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button look="quiet" aria-disabled={isBusy} onClick={() => isBusy || leave.mutate(items)}>
              {leave.isPending ? words.leaving : words.leave}
            </Button>
            <Button aria-disabled={isBusy} onClick={() => isBusy || publish.run(items)}>
              {publish.isPending ? words.publishing(publish.tried, items.length) : words.publish(items.length)}
            </Button>
          </div>
        </div>
        <ul className="divide-y divide-line border-line border-t">
          {shown.map((schedule) => (
            <li key={schedule.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2.5 text-sm">
              <span className="text-muted tabular-nums">{timeOf(schedule)}</span>
              <Link
                href={`/posts/${schedule.id}`}
                className="line-clamp-1 min-w-0 flex-1 basis-48 font-medium underline"
              >
                {textsOf(schedule)[0] ?? postWords.card.noText}
              </Link>
              <span className="text-muted">
                {missedOn(schedule)
                  .map((id) => displayName({ accounts, networks }, id))
                  .join(", ")}
              </span>
            </li>
          ))}
        </ul>
        {shown.length < items.length && (
          <Button look="quiet" className="justify-self-start" onClick={() => setWhole(true)}>
            {words.showAll(items.length)}
          </Button>
        )}
      </section>
    </Card>
  );
}

const latestFirst = (one: ApiSchedule, other: ApiSchedule) =>
  Date.parse(other.scheduledTime ?? "") - Date.parse(one.scheduledTime ?? "");

const timeOf = ({ scheduledTime }: ApiSchedule) => scheduledTime && dateAndTime(new Date(scheduledTime));

/** The accounts that missed the post and are connected now. */
function missedAccountsOf({ publications }: ApiSchedule, accounts: ApiAccount[]): number[] {
  const connected = accounts.filter(({ state }) => state === "ACTIVE").map(({ id }) => id);
  return publications
    .filter(({ missed, leftTime, socialMediaAccountId: id }) => missed && !leftTime && connected.includes(id))
    .map(({ socialMediaAccountId }) => socialMediaAccountId);
}

type AccountsOf = (schedule: ApiSchedule) => number[];

/** Leaves posts unpublished, so that they are no longer offered. */
function useLeave(missedOn: AccountsOf) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (schedules: ApiSchedule[]) => {
      for (const schedule of schedules) await callInTime(`/v1/posts/${schedule.id}/leave`, missedOn(schedule));
    },
    onSettled: () => readAnew(cache, { queryKey: ["schedules"] }, { queryKey: ["schedule"] }),
    onSuccess: (_, { length }) => say((toast) => toast.success(accountWords.missed.left(length))),
    onError: ({ message }) => say((toast) => toast.error(accountWords.missed.notLeft(message))),
  });
}

/** Retries posts one after the other. Those that cannot be retried stay in the list, and the first reason is shown. */
function usePublishLate(missedOn: AccountsOf) {
  const cache = useQueryClient();
  const [tried, setTried] = useState(0);
  const { mutate, isPending } = useMutation({
    mutationFn: async (schedules: ApiSchedule[]) => {
      const reasons: string[] = [];
      for (const [index, schedule] of schedules.entries()) {
        setTried(index + 1);
        await callInTime(`/v1/posts/${schedule.id}/retry`, missedOn(schedule)).catch((error: Error) =>
          reasons.push(error.message),
        );
      }
      await readAnew(cache, { queryKey: ["schedules"] }, { queryKey: ["schedule"] });
      return reasons;
    },
    onSuccess: (reasons, { length }) => {
      const [reason] = reasons;
      if (reason === undefined) say((toast) => toast.success(accountWords.missed.begun(length)));
      else say((toast) => toast.error(accountWords.missed.notBegun(reasons.length, reason)));
    },
  });
  return { tried, isPending, run: (schedules: ApiSchedule[]) => mutate(schedules) };
}

/** Sends a call about one post and some of its accounts, waiting when the rate limit is reached. */
async function callInTime(path: string, accountIds: number[]): Promise<void> {
  try {
    await callApi<ApiSchedule>(path, { method: "POST", body: { accountIds } });
  } catch (error) {
    const seconds = error instanceof ApiFailure && error.status === 429 ? error.retryAfterSeconds : undefined;
    if (seconds === undefined) throw error;
    await waited(seconds);
    await callInTime(path, accountIds);
  }
}
