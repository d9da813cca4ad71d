import { z } from "zod";
import type { TextLimit } from "../limits";
import { textLength } from "./count";

/** A setting that is a text with a limit, refused as a text of the post would be: with the numbers, and what to do. */
export function limitedText({ max, unit, source }: TextLimit) {
  return z
    .string()
    .superRefine((text, context) => {
      const measured = textLength(unit, text);
      if (measured <= max) return;
      const message = `has ${measured} ${unit}, at most ${max} are taken`;
      const fix = `Shorten it by ${measured - max} ${unit}`;
      context.addIssue({
        code: "custom",
        message,
        params: { rule: "text.length", measured, limit: { max }, source, fix },
      });
    })
    .meta({ maxLength: max });
}
