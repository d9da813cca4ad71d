"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useDescribed } from "../../library/use-alt-text";
import { type CheckProblem, checkSchedule } from "../draft/queries";
import { checkRequest } from "../draft/submission";
import type { Target } from "../targets/targets";

const QUIET_MS = 400;

/** What the API says of the request, and whether it is about what stands on the page this moment. */
export type CheckResult = { problems: CheckProblem[]; isFresh: boolean };

/**
 * Every problem of the request as it stands, asked of the API when nothing has changed for a moment. While it is being asked
 * the last answer stays, because problems that come and go with each key help nobody.
 */
export function useCheck(targets: Target[], isEmpty: boolean): CheckResult {
  const cache = useQueryClient();
  const isAsked = !isEmpty && targets.length > 0;
  const wanted = useMemo(() => (isAsked ? JSON.stringify(checkRequest(targets)) : ""), [isAsked, targets]);
  const [answer, setAnswer] = useState<{
    wanted: string;
    described: number;
    accounts: string;
    found: CheckProblem[];
  }>();
  const described = useDescribed();
  const accounts = targets.map(({ key }) => key).join();

  useEffect(() => {
    if (wanted === "") return;
    const timer = setTimeout(() => {
      cache
        .fetchQuery({
          queryKey: ["checked", wanted, described],
          queryFn: ({ signal }) => checkSchedule(JSON.parse(wanted), signal),
          staleTime: 60_000,
        })
        .then(
          (found) => setAnswer({ wanted, described, accounts, found }),
          // Sending it is checked once more, so an answer that is missing here costs nobody a post.
          () => undefined,
        );
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [wanted, described, accounts, cache]);

  const isAbout = wanted !== "" && answer?.accounts === accounts;
  const isFresh = answer?.wanted === wanted && answer.described === described;
  return { problems: isAbout ? answer.found : [], isFresh: wanted === "" || isFresh };
}
