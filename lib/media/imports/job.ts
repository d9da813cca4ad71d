import { z } from "zod";
import type { JobKind } from "../../jobs";

/** Wakes an import up. An unfinished import always has one of these waiting. */
export const importDue = {
  name: "media.import",
  payload: z.object({ importId: z.number().int() }),
} satisfies JobKind;

export const importKey = (importId: number) => `import:${importId}`;
