import { z } from "zod";
import type { FieldProblem } from "../limits";
import type { PlannedPost } from "../network";

/** The IDs of videoCategories.list?regionCode=US. */
export const categoryIds = {
  FILM_ANIMATION: "1",
  AUTOS_VEHICLES: "2",
  MUSIC: "10",
  PETS_ANIMALS: "15",
  SPORTS: "17",
  TRAVEL_EVENTS: "19",
  GAMING: "20",
  PEOPLE_BLOGS: "22",
  COMEDY: "23",
  ENTERTAINMENT: "24",
  NEWS_POLITICS: "25",
  HOWTO_STYLE: "26",
  EDUCATION: "27",
  SCIENCE_TECHNOLOGY: "28",
} as const;

const categories = Object.keys(categoryIds) as [keyof typeof categoryIds, ...(keyof typeof categoryIds)[]];

/** SPEC, "Platform settings"; the defaults are from DECISIONS. */
export const settings = z.strictObject({
  title: z.string().meta({ description: "The video's title, without < and >" }),
  privacyStatus: z
    .enum(["PUBLIC", "UNLISTED", "PRIVATE"])
    .default("PUBLIC")
    .meta({ description: "Who can see it; UNLISTED: anyone with the link" }),
  category: z.enum(categories).default("PEOPLE_BLOGS").meta({ description: "The video's category on YouTube" }),
});

export type YouTubeSettings = z.output<typeof settings>;

/** Title and description must not contain angle brackets (source: the videos resource, snippet). */
export function bracketProblems({ content, settings }: PlannedPost<YouTubeSettings>): FieldProblem[] {
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
