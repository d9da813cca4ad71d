import type { Problem } from "../../errors";
import { isVideo } from "../../media";
import type { Breach, Limits, Sourced } from "../../networks";
import { altTextBreaches } from "./alt-text";
import type { Attached, KnownMedia } from "./facts";
import { imageProblems, pictureLimits, pictureProblems, videoProblems } from "./file-limits";
import { textProblems } from "./text-limits";

/** A breach of a limit, before it is known where. */
export type Broken = Omit<Problem, "path">;

/** What breaks a format's limits, each with the field's path from the post on and the page that states it. Pure; the limits are data. Of an unknown medium nothing is said. */
export function limitBreaches(
  network: string,
  limits: Limits,
  {
    content,
    settings,
    media,
    cover,
  }: { content: string; settings: unknown; media: Attached[]; cover?: KnownMedia | undefined },
): Breach[] {
  const at = (place: string, broken: Broken[], { source = limits.source }: Sourced = {}) =>
    broken.map((one) => ({ at: place, ...(source ? { source } : {}), ...one }));
  const problems = limits.text ? at("content", textProblems(network, limits.text, content), limits.text) : [];
  for (const [name, limit] of Object.entries(limits.settings ?? {})) {
    problems.push(...at(`platformSettings.${name}`, textProblems(network, limit, textSetting(settings, name)), limit));
  }
  problems.push(...at("attachmentPaths", countProblems(network, limits.count, media)));
  for (const [index, item] of media.entries()) {
    if (!item) continue;
    const [found, by] = isVideo(item)
      ? [videoProblems(network, limits.video, item), limits.video]
      : [pictureProblems(network, limits, item), pictureLimits(limits, item)];
    problems.push(...at(`attachmentPaths[${index}]`, found, by));
  }
  problems.push(...altTextBreaches(network, limits, { settings, media, cover }));
  if (cover && limits.cover)
    problems.push(...at("thumbnailPath", imageProblems(network, limits.cover, cover), limits.cover));
  return problems;
}

function textSetting(settings: unknown, name: string): string {
  const value =
    typeof settings === "object" && settings !== null && Object.entries(settings).find(([is]) => is === name);
  return value && typeof value[1] === "string" ? value[1] : "";
}

function countProblems(network: string, count: Limits["count"], media: Attached[]): Broken[] {
  if (!count || (media.length >= count.min && media.length <= count.max)) return [];
  const over = media.length - count.max;
  const bound = over > 0 ? `at most ${count.max}` : `at least ${count.min}`;
  const what = media.some((item) => item && isVideo(item)) ? "attachments" : "images";
  const fix = over > 0 ? `Remove ${over}` : `Add ${count.min - media.length}`;
  const message = `${network} takes ${bound} ${what}`;
  return [{ message, rule: "media.count", measured: media.length, limit: count, fix }];
}
