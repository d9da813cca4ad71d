import type { TikTokSettings } from "./settings";

/** A video has one text: the title, then the content on a new line (DECISIONS, "Schedules"). */
export function captionOf({ content, settings }: { content: string; settings: TikTokSettings }): string {
  return [settings.title, content].filter(Boolean).join("\n");
}
