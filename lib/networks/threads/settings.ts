import { z } from "zod";
import { firstComment } from "../comment";
import type { FieldProblem } from "../limits";
import type { PlannedPost } from "../network";

const withoutSign = (value: unknown) => (typeof value === "string" ? value.trim().replace(/^#/, "") : value);

/** SPEC: only `topicTag`. A leading `#` is not part of the tag. */
export const settings = z.strictObject({
  topicTag: z
    .preprocess(withoutSign, z.string())
    .optional()
    .meta({ description: "The post's topic, with or without `#`: 1 to 50 characters, no `.` and no `&`" }),
  firstComment,
});

export type ThreadsSettings = z.output<typeof settings>;

const PAGE = "developers.facebook.com/documentation/threads/posts";
const source = `https://${PAGE}`;

/** Checks the topic tag, whose rules go beyond a length limit. */
export function check({ settings: { topicTag: topic } }: PlannedPost<ThreadsSettings>): FieldProblem[] {
  if (topic === undefined) return [];
  const at = "platformSettings.topicTag";
  if (topic === "") {
    const message = "Threads does not accept an empty topic";
    return [
      {
        at,
        message,
        rule: "topic.empty",
        limit: { min: 1, max: 50 },
        source,
        fix: "Omit it",
        change: { op: "remove" },
      },
    ];
  }
  if (!/[.&]/.test(topic)) return [];
  const message = `Threads does not accept "." or "&" in a topic (${PAGE}). This one is ${topic}`;
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
      fix: "Remove these characters",
      change,
    },
  ];
}
