import type { Breach } from "../limits";
import type { PlannedPost } from "../network";
import type { YouTubeSettings } from "./settings";

/** Title and description must not contain angle brackets (source: the videos resource, snippet). */
export function bracketBreaches({ content, settings }: PlannedPost<YouTubeSettings>): Breach[] {
  const texts = { content, "platformSettings.title": settings.title };
  return Object.entries(texts).flatMap(([at, text]) => {
    const found = text.match(/[<>]/g)?.length ?? 0;
    if (found === 0) return [];
    const value = text.replace(/[<>]/g, "");
    return [
      {
        at,
        message: "YouTube accepts neither < nor > here",
        rule: "youtube.angle_brackets",
        measured: found,
        limit: { max: 0 },
        fix: "Remove them",
        change: { op: "replace", value } as const,
      },
    ];
  });
}
