import { z } from "zod";
import type { TextLimit } from "../limits";
import { textLength } from "./count";

/** A text setting with a limit. Its problem has the same form as that of a post's text: measured value, limit and fix. */
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
