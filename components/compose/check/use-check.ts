"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useDescribed } from "../../library/use-alt-text";
import { type CheckProblem, checkSchedule } from "../draft/queries";
import { checkRequest } from "../draft/submission";
import type { Target } from "../targets/targets";

const QUIET_MS = 400;

/** The API's problems, and whether they describe the current request. */
export type CheckResult = { problems: CheckProblem[]; isFresh: boolean };

/**
 * Validates the request with the API after a short pause in typing. The previous result stays until the next arrives,
 * so that problems do not flicker.
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
          // Ignored: the API validates again when the post is sent.
          () => undefined,
        );
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [wanted, described, accounts, cache]);

  const isAbout = wanted !== "" && answer?.accounts === accounts;
  const isFresh = answer?.wanted === wanted && answer.described === described;
  return { problems: isAbout ? answer.found : [], isFresh: wanted === "" || isFresh };
}
