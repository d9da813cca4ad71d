import { z } from "zod";
import { firstComment } from "../comment";
import type { FieldProblem } from "../limits";
import { documentation, type PlannedPost } from "../network";

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

const REFERENCE = "https://developers.google.com/youtube/data/reference/rest/v3";

/** YouTube counts the commas between tags, and the quotes that it puts around a tag with a space (the videos resource). */
const TAGS_MAX = 500;

function tagsLength(tags: string[]): number {
  return tags.map((tag) => (tag.includes(" ") ? `"${tag}"` : tag)).join(",").length;
}

/** Carillon's own limit, so that a request stays small: YouTube accepts files of 100 MB. An hour of speech has about 80,000. */
const CAPTIONS_MAX = 200_000;
/** The line of SRT and WebVTT that says when a caption is shown. */
const TIMING = /^[ \t]*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->[ \t]*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}/m;

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** SPEC, "Platform settings"; the defaults are from DECISIONS. Fields after `category` are additions to SPEC. */
export const settings = z.strictObject({
  title: z.string().meta({ description: "The video's title, without < and >" }),
  privacyStatus: z
    .enum(["PUBLIC", "UNLISTED", "PRIVATE"])
    .default("PUBLIC")
    .meta({ description: "Who can see it; UNLISTED: anyone with the link" }),
  category: z.enum(categories).default("PEOPLE_BLOGS").meta({ description: "The video's category on YouTube" }),
  madeForKids: z.boolean().optional().meta({
    description: "What the person declares: the video is, or is not, made for kids. Ask; there is no default",
  }),
  containsSyntheticMedia: z
    .boolean()
    .optional()
    .meta({ description: "Whether the video shows altered or synthetic content that looks real. YouTube labels it" }),
  notifySubscribers: z
    .boolean()
    .optional()
    .meta({ description: "false: YouTube does not notify the channel's subscribers. Otherwise it does" }),
  tags: z
    .array(z.string().trim().min(1, "cannot be empty"))
    .superRefine((tags, context) => {
      const measured = tagsLength(tags);
      if (measured <= TAGS_MAX) return;
      const message = `have ${measured} UTF-16 units together, with commas and the quotes around tags with spaces; the maximum is ${TAGS_MAX}`;
      const params = { rule: "youtube.tags", measured, limit: { max: TAGS_MAX }, source: `${REFERENCE}/videos` };
      context.addIssue({ code: "custom", message, params: { ...params, fix: "Remove some of them" } });
    })
    .optional()
    .meta({ description: "Keywords, at most 500 characters together" }),
  playlistId: z
    .string()
    .superRefine((text, context) => {
      if (/^[\w-]{2,64}$/.test(text)) return;
      const [, value] = /[?&]list=([\w-]{2,64})/.exec(text) ?? [];
      const params = { rule: "youtube.playlist", fix: "Use the part after list= in the playlist's address" };
      const change = value && { change: { op: "replace", value } };
      context.addIssue({ code: "custom", message: "must be a playlist's ID", params: { ...params, ...change } });
    })
    .optional()
    .meta({
      description: "The ID of one of the channel's playlists, to which the published video is added",
    })
    .register(documentation, { source: `${REFERENCE}/playlistItems/insert` }),
  captions: z
    .string()
    .max(CAPTIONS_MAX, `must have at most ${CAPTIONS_MAX} UTF-16 units`)
    .refine((text) => TIMING.test(text), "must be the text of an SRT or WebVTT file")
    .optional()
    .meta({
      description: "The text of an SRT or WebVTT file, which is added to the published video",
    })
    .register(documentation, { source: `${REFERENCE}/captions/insert`, lengthSource: null }),
  captionsLanguage: z
    .string()
    .refine(isLanguage, "must be a language tag such as en or pt-BR")
    .optional()
    .meta({
      description: "The language of `captions` (BCP 47), required with them",
    })
    .register(documentation, { source: `${REFERENCE}/captions/insert` }),
  firstComment,
});

export type YouTubeSettings = z.output<typeof settings>;

/** Title and description must not contain angle brackets (source: the videos resource, snippet). */
function bracketProblems({ content, settings }: PlannedPost<YouTubeSettings>): FieldProblem[] {
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

const KIDS = "https://support.google.com/youtube/answer/9528076";

/** Nobody has answered the question that YouTube asks about every video, and captions need their language. */
function answerProblems({ settings }: PlannedPost<YouTubeSettings>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (settings.madeForKids === undefined) {
    problems.push({
      at: "platformSettings.madeForKids",
      message:
        "YouTube requires people to say whether a video is made for kids. Without it, the channel's own setting applies",
      rule: "youtube.made_for_kids",
      severity: "warning",
      source: KIDS,
      fix: "Ask the person, and send true or false",
    });
  }
  if (settings.captions && !settings.captionsLanguage) {
    problems.push({
      at: "platformSettings.captionsLanguage",
      message: "YouTube requires the language of captions",
      rule: "youtube.captions_language",
      source: `${REFERENCE}/captions/insert`,
      fix: "Set captionsLanguage, for example to en",
    });
  }
  return problems;
}

export function youtubeProblems(post: PlannedPost<YouTubeSettings>): FieldProblem[] {
  return [...bracketProblems(post), ...answerProblems(post)];
}
