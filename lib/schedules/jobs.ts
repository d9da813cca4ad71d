import { z } from "zod";
import type { JobKind } from "../jobs";

/** Wakes a publication up; how it goes on, and when it tries again, the publication's own row decides. */
export const publicationDue = {
  name: "publication.publish",
  payload: z.object({ publicationId: z.number().int() }),
} satisfies JobKind;

/** One waiting job at most per publication: scheduling it again moves that one. */
export const publicationKey = (publicationId: number) => `publication:${publicationId}`;

/** An import that a schedule waits for has come to its end: what becomes of the schedule, its rows decide. */
export const importsMoved = {
  name: "schedule.imports",
  payload: z.object({ scheduleId: z.number().int() }),
} satisfies JobKind;
