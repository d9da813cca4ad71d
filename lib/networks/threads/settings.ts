import { z } from "zod";

const withoutSign = (value: unknown) => (typeof value === "string" ? value.trim().replace(/^#/, "") : value);

/** SPEC: only `topicTag`. A leading `#` is not part of the tag. */
export const settings = z.strictObject({
  topicTag: z
    .preprocess(withoutSign, z.string())
    .optional()
    .meta({ description: "The post's topic, with or without `#`: 1 to 50 characters, no `.` and no `&`" }),
});

export type ThreadsSettings = z.output<typeof settings>;
