import * as z from "zod";
import { outsideUrlProblem } from "../../http/outside-url";

/**
 * An http or https address outside of this service, checked by its spelling only. It is part of the schema, so that all
 * problems are reported at once.
 */
export const publicUrl = z
  .string()
  .min(1, { abort: true })
  .max(2048, { abort: true })
  .superRefine((address, context) => {
    const message = outsideUrlProblem(address);
    if (message) context.addIssue({ code: "custom", message });
  });

export const NewImport = z.strictObject({
  url: publicUrl,
  filenameHint: z
    .string()
    .max(255)
    .nullish()
    .meta({ description: "A name for the file. By default it is taken from the URL" }),
});
