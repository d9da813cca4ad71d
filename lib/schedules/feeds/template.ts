import { z } from "zod";
import { BadRequest } from "../../errors";
import { NewSchedule } from "../input";
import type { FeedItem } from "./read";

const placeholders = ["title", "link", "summary", "author", "image"] as const;
const allPlaceholders = placeholders.map((name) => `{{${name}}}`).join(", ");

/** A post with placeholders, from which each new item of a feed makes a post. */
export const FeedTemplate = z
  .strictObject({
    isDraft: z.boolean().default(true).meta({
      description:
        "`true`: each item becomes a draft. `false`: it is scheduled at the next free posting time of its accounts, or now if they have none; an item that a network would refuse still becomes a draft",
    }),
    publications: NewSchedule.shape.publications,
  })
  .meta({
    id: "FeedTemplate",
    description: `As in \`POST /v1/posts\`, without a time. Texts may contain ${allPlaceholders}; \`{{image}}\` may be an entry of \`attachmentPaths\``,
  });

export type FeedTemplate = z.output<typeof FeedTemplate>;

/** A short template must not become a huge post. */
const MAX_PLACEHOLDERS = 200;
const MAX_CONTENT = 100_000;
/** Of the characters that an item adds to all texts of its post together. Each is checked, stored and shown. */
const MAX_FILLED = 100_000;
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/**
 * Returns the publications of an item: the template with the item's own texts. A placeholder without a value becomes empty, and
 * an attachment without one is left out. So is what would add more than 100,000 characters to the whole.
 */
export function fillTemplate({ publications }: FeedTemplate, item: FeedItem): NewSchedule["publications"] {
  let left = MAX_FILLED;
  const filled = fill(publications, (name) => {
    const text = (isPlaceholder(name) ? item[name] : undefined) ?? "";
    if (text.length > left) return "";
    left -= text.length;
    return text;
  });
  return (filled as NewSchedule["publications"]).map((publication) => ({
    ...publication,
    posts: publication.posts.map((post) => ({
      ...post,
      content: post.content.trim(),
      attachmentPaths: post.attachmentPaths.filter((path) => path !== ""),
    })),
  }));
}

/** @throws BadRequest that names every placeholder that does not exist, or if there are more than 200 */
export function assertPlaceholders(template: FeedTemplate): void {
  const unknown = new Set<string>();
  let count = 0;
  fill(template.publications, (name) => {
    count += 1;
    if (!isPlaceholder(name)) unknown.add(name);
    return "";
  });
  if (count > MAX_PLACEHOLDERS) {
    throw new BadRequest(`template has more than ${MAX_PLACEHOLDERS} placeholders: ${count}`);
  }
  const problems = [...unknown]
    .slice(0, 10)
    .map((name) => `template contains an unknown placeholder, {{${name}}}: the placeholders are ${allPlaceholders}`);
  if (problems.length > 0) throw new BadRequest(...problems);
}

function isPlaceholder(name: string): name is (typeof placeholders)[number] {
  return (placeholders as readonly string[]).includes(name);
}

/** Replaces the placeholders in every text of a JSON value. */
function fill(value: unknown, textFor: (name: string) => string): unknown {
  if (typeof value === "string") return fillText(value, textFor);
  if (Array.isArray(value)) return value.map((one) => fill(one, textFor));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, textFor)]));
}

/** Leaves out what would make the text too long. */
function fillText(text: string, textFor: (name: string) => string): string {
  let left = MAX_CONTENT - text.length;
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const value = textFor(name);
    left -= value.length;
    return left < 0 ? "" : value;
  });
}
