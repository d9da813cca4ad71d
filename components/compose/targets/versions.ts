import { useCallback, useEffect, useState } from "react";
import type { Platform } from "@/lib/platforms";
import { partFieldId } from "../check/fixes";
import { type ComposeProblem, targetName } from "../check/problems";
import type { FieldGoal } from "./settings-fields";
import type { Target } from "./targets";

/** A text and files for all accounts of a network, or for one account whose text or files differ from the others'. */
export type NetworkVersion = {
  /** The platform, or the key of the account. */
  id: string;
  name: string;
  platform: Platform;
  /** At least one. They have the same text and files. */
  targets: Target[];
  isOwn: boolean;
};

/**
 * Returns one version for each network, and one for each account of a network where they differ.
 * @param apart the platforms whose accounts get versions of their own
 */
export function versionsOf(targets: Target[], apart: Platform[] = []): NetworkVersion[] {
  return [...new Set(targets.map(({ network }) => network.platform))].flatMap((platform) => {
    const members = targets.filter(({ network }) => network.platform === platform);
    const isOneVersion =
      members.length === 1 || (!apart.includes(platform) && new Set(members.map(contentOf)).size === 1);
    return isOneVersion
      ? [versionOf(platform, members[0]?.network.name ?? "", members)]
      : members.map((target) => versionOf(target.key, targetName(target), [target]));
  });
}

function versionOf(id: string, name: string, targets: Target[]): NetworkVersion {
  const isOwn = targets.some(({ isOwnText, hasOwnFiles }) => isOwnText || hasOwnFiles);
  return { id, name, platform: targets[0]?.network.platform ?? "X_TWITTER", targets, isOwn };
}

/** The accounts of a version. */
export const keysOf = ({ targets }: NetworkVersion) => targets.map(({ key }) => key);

function contentOf({ posts, isOwnText }: Target): string {
  return JSON.stringify([isOwnText, posts.map(({ text, files }) => [text, files.map(({ id }) => id)])]);
}

/** The problems and warnings of a version's accounts. */
export function problemsOf({ targets }: NetworkVersion, problems: ComposeProblem[]): ComposeProblem[] {
  return problems.filter(({ target }) => targets.some(({ key }) => key === target?.key));
}

/** The version that is written and the one that is previewed, and a function that moves the focus to a field of any. */
export function useFocus(versions: NetworkVersion[]) {
  const [at, setAt] = useState<string>();
  const [previewed, setPreviewed] = useState<string>();
  const [goal, setGoal] = useState<FieldGoal>();
  useEffect(() => {
    if (goal) focusField(goal.field);
  }, [goal]);
  const look = useCallback((version: string | undefined) => {
    setAt(version);
    if (version) setPreviewed(version);
  }, []);
  function goToField(field: string, accountKey: string | undefined) {
    const version = versions.find(({ targets }) => targets.some(({ key }) => key === accountKey));
    const first = version?.targets[0]?.key;
    if (version) setPreviewed(version.id);
    const isOwnText = accountKey !== undefined && field.startsWith(partFieldId(accountKey, ""));
    if (isOwnText) setAt(version?.id);
    else if (field.startsWith("text-") || field.startsWith("alt-")) setAt(undefined);
    // The accounts of a version share the fields of its first.
    const shared = isOwnText && first ? field.replace(accountKey, first) : field;
    setGoal({ field: shared, accountKey });
  }
  return { at, previewed, setPreviewed, look, goal, goToField };
}

/** Scrolls to a field and focuses it. One that is in a window is opened by its button. */
function focusField(id: string): void {
  const field = document.getElementById(id);
  field?.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
  if (field?.ariaHasPopup === "dialog") field.click();
}
