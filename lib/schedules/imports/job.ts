import { z } from "zod";
import type { JobKind } from "../../jobs";

/** An import that a schedule waits for has come to its end: what becomes of the schedule, its rows decide. */
export const importsMoved = {
  name: "schedule.imports",
  payload: z.object({ scheduleId: z.number().int() }),
} satisfies JobKind;
