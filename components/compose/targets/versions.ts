import type { Platform } from "@/lib/platforms";
import { type ComposeProblem, targetName } from "../check/problems";
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

function contentOf({ posts, isOwnText }: Target): string {
  return JSON.stringify([isOwnText, posts.map(({ text, files }) => [text, files.map(({ id }) => id)])]);
}

/** The problems and warnings of a version's accounts. */
export function problemsOf({ targets }: NetworkVersion, problems: ComposeProblem[]): ComposeProblem[] {
  return problems.filter(({ target }) => targets.some(({ key }) => key === target?.key));
}
