import type { KnownMedia } from "../../schedules/check/facts";
import { formatProblems } from "../../schedules/check/publication";
import { MB } from "../limits";
import type { Network } from "../network";

export function knownPicture(facts: Partial<KnownMedia> = {}): KnownMedia {
  const usual = { contentType: "image/jpeg", sizeBytes: MB, width: 1080, height: 1080, durationSeconds: null };
  return { ...usual, details: {}, ...facts };
}

export function knownClip({
  frameRate = 30,
  videoCodec = "avc",
  ...facts
}: Partial<KnownMedia> & KnownMedia["details"] = {}) {
  const usual = { contentType: "video/mp4", sizeBytes: MB, width: 1080, height: 1920, durationSeconds: 10 };
  return { ...usual, details: { frameRate, videoCodec, index: "front" as const }, ...facts };
}

type Planned = { content?: string; settings?: object; media?: KnownMedia[]; cover?: KnownMedia };

/** Returns the rules that a post violates, without duplicates, in order. */
export function violatedRules(
  network: Network,
  { content = "A text", settings = {}, media = [], cover }: Planned,
): string[] {
  const parsed = network.settings.parse(settings);
  const attachmentPaths = media.map((_, index) => `file-${index}`);
  const problems = formatProblems(network, parsed, { content, attachmentPaths }, media, cover);
  return [...new Set(problems.map(({ rule }) => rule))];
}
