import { z } from "zod";
import { parseUrl } from "../../env/parse-url";
import type { TextLimit } from "../limits";
import { documentation } from "../network";
import { textLength } from "../text/count";
import { limits } from "./limits";

const { title, link, altText } = limits.settings;
const { source } = title;

/** SPEC: only `type` is required; the board is the post's `chatId`. `dominantColor` is an addition. */
export const settings = z.strictObject({
  title: limitedText(title).optional().meta({ description: "The Pin's title, at most 100 characters" }),
  link: limitedText(link)
    .refine((text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ""), "must be an http or https URL")
    .optional()
    .meta({ description: "The address that the Pin links to" }),
  altText: limitedText(altText)
    .optional()
    .meta({ description: "Alternative text for people who cannot see the image, at most 500 characters" }),
  dominantColor: z
    .string()
    .regex(/^#[\da-fA-F]{6}$/, "must be a colour such as #6E7874")
    .optional()
    .meta({
      description: "The colour that Pinterest shows until the image has loaded, such as `#6E7874`",
    })
    .register(documentation, { source: source }),
  boardSectionId: z
    .string()
    .regex(/^\d+$/, "must be the digits of a section's ID")
    .optional()
    .meta({ description: "A section of the board that `chatId` names" })
    .register(documentation, { source: source }),
});

export type PinterestSettings = z.output<typeof settings>;

/** A text setting with a limit. Its problem has the same form as that of a post's text: measured value, limit and fix. */
function limitedText({ max, unit, source }: TextLimit) {
  return z
    .string()
    .superRefine((text, context) => {
      const measured = textLength(unit, text);
      if (measured <= max) return;
      const message = `has ${measured} ${unit}; the maximum is ${max}`;
      const fix = `Shorten it by ${measured - max} ${unit}`;
      context.addIssue({
        code: "custom",
        message,
        params: { rule: "text.length", measured, limit: { max }, source, fix },
      });
    })
    .meta({ maxLength: max });
}
