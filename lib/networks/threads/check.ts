import type { Breach } from "../limits";
import type { PlannedMedia, PlannedPost } from "../network";
import type { ThreadsSettings } from "./settings";

const COLUMNS = 1920;
const SOURCE = "developers.facebook.com/documentation/threads/posts";

/** What of a post Threads does not take beside the limits of single fields. */
export function check({ settings, media }: PlannedPost<ThreadsSettings>): Breach[] {
  return [...topicBreaches(settings.topicTag), ...media.flatMap(columnBreaches)];
}

function topicBreaches(topic: string | undefined): Breach[] {
  if (topic === undefined) return [];
  const at = "platformSettings.topicTag";
  if (topic === "") {
    const message = "Threads takes no empty topic";
    return [
      { at, message, rule: "topic.empty", limit: { min: 1, max: 50 }, fix: "Leave it out", change: { op: "remove" } },
    ];
  }
  if (!/[.&]/.test(topic)) return [];
  const message = `Threads takes no "." and no "&" in a topic (${SOURCE}), this one is ${topic}`;
  const value = topic.replace(/[.&]/g, "");
  const change = value ? ({ op: "replace", value } as const) : ({ op: "remove" } as const);
  return [
    { at, message, rule: "topic.characters", measured: topic, limit: "no . and no &", fix: "Leave them out", change },
  ];
}

/** Only the width is bounded: a tall video may have any number of rows. */
function columnBreaches({ kind, width = 0, height }: PlannedMedia, index: number): Breach[] {
  if (kind !== "video" || width <= COLUMNS) return [];
  const message = `Threads takes videos of at most ${COLUMNS} pixels in width, this one has ${width} x ${height}`;
  const of = { at: `attachmentPaths[${index}]`, message, rule: "video.width", measured: width };
  return [{ ...of, limit: { max: COLUMNS }, fix: "Resize the video" }];
}
