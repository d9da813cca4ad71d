"use client";
import { useEffect, useState } from "react";
import { useChecked } from "../api/queries";
import type { NewSchedule } from "../api/types";
import type { Target } from "./targets";

const QUIET_MS = 400;
/** Any time to come: what happens to a file does not depend on it. */
const SOME_TIME = "2100-01-01T00:00:00Z";

/** What will be done to the files for each account, in words, by the target's key; asked of the API when nothing changes. */
export function useConversions(targets: Target[], paths: string[]): { [targetKey: string]: string[] } {
  const wanted = paths.length === 0 || targets.length === 0 ? "" : JSON.stringify(bodyOf(targets, paths));
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), QUIET_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data } = useChecked(asked);
  const said: { [targetKey: string]: string[] } = {};
  if (asked !== wanted) return said;
  for (const { path, rule, message } of data?.problems ?? []) {
    const key = targets[Number(/^publications\[(\d+)\]/.exec(path)?.[1])]?.key;
    if (rule === "image.converted" && key) said[key] = [...new Set([...(said[key] ?? []), message])];
  }
  return said;
}

function bodyOf(targets: Target[], paths: string[]): NewSchedule {
  return {
    scheduledTime: SOME_TIME,
    isDraft: false,
    publications: targets.map(({ account, network, settings, chatId }) => ({
      socialMediaAccountId: account.id,
      platformSettings: { ...settings, type: network.settingsType },
      posts: [{ content: "", attachmentPaths: paths, chatId }],
    })),
  };
}
