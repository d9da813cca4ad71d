import { z } from "zod";
import type { FieldProblem } from "../limits";
import { documentation, type PlannedPost } from "../network";
import { readMarkup } from "../text/markup";

const HTML_STYLE = "https://core.telegram.org/bots/api#html-style";

/** Absent means off, so the answers of the API need not show it. */
const toggle = (description: string) => z.boolean().optional().meta({ description, default: false });

/** SPEC: only `type` is required. All settings apply to every message of the publication. */
export const settings = z.strictObject({
  disableNotification: toggle("Delivers the message without a sound"),
  protectContent: toggle("Prevents that readers forward or save the message"),
  disableLinkPreview: toggle("Shows no preview of the first link; messages with media never have one"),
  parseMode: z
    .enum(["HTML"])
    .optional()
    .meta({
      description:
        "How the text is formatted. `HTML`: with the tags that Telegram documents, which do not count towards the limit. By default it is plain text",
    })
    .register(documentation, { source: HTML_STYLE }),
});

export type TelegramSettings = z.output<typeof settings>;

/** Telegram keeps this many formatted ranges and drops the others. It documents no limit; a client found this one by trials. */
const MAX_ENTITIES = 100;
const CONSTANTS = "https://docs.python-telegram-bot.org/en/v13.9/telegram.constants.html";

/** Warns about formatting that Telegram would drop. */
export function check({ content, settings: { parseMode } }: PlannedPost<TelegramSettings>): FieldProblem[] {
  const measured = parseMode ? readMarkup(content).entities.length : 0;
  if (measured <= MAX_ENTITIES) return [];
  const message = `Telegram keeps ${MAX_ENTITIES} formatted parts of a text and drops the others; this text has ${measured}`;
  return [
    {
      at: "content",
      message,
      rule: "telegram.formatted_parts",
      measured,
      limit: { max: MAX_ENTITIES },
      source: CONSTANTS,
      fix: "Use fewer tags",
      severity: "warning",
    },
  ];
}
