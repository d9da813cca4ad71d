import type { Breach } from "../limits";
import type { PlannedPost } from "../network";
import type { ThreadsSettings } from "./settings";

const PAGE = "developers.facebook.com/documentation/threads/posts";
const source = `https://${PAGE}`;

/** What of a post Threads does not take beside the limits of single fields. */
export function check({ settings: { topicTag: topic } }: PlannedPost<ThreadsSettings>): Breach[] {
  if (topic === undefined) return [];
  const at = "platformSettings.topicTag";
  if (topic === "") {
    const message = "Threads takes no empty topic";
    return [
      {
        at,
        message,
        rule: "topic.empty",
        limit: { min: 1, max: 50 },
        source,
        fix: "Leave it out",
        change: { op: "remove" },
      },
    ];
  }
  if (!/[.&]/.test(topic)) return [];
  const message = `Threads takes no "." and no "&" in a topic (${PAGE}), this one is ${topic}`;
  const value = topic.replace(/[.&]/g, "");
  const change = value ? ({ op: "replace", value } as const) : ({ op: "remove" } as const);
  return [
    {
      at,
      message,
      rule: "topic.characters",
      measured: topic,
      limit: "no . and no &",
      source,
      fix: "Leave them out",
      change,
    },
  ];
}
