import * as z from "zod";
import type { Answer } from "./network";

export type Switches<T> = T & {
  /** Applies the body and resets everything it does not name. Returns a message if it is invalid. */
  set(body: unknown): string | undefined;
  reset(): void;
};

/** Settings of a simulated network that tests can change, such as application approvals. Each has a default. */
export function createSwitches<T extends object>(schema: z.ZodType<T>): Switches<T> {
  const initial = schema.parse({});
  const switches: Switches<T> = {
    ...initial,
    set(body) {
      const parsed = schema.safeParse(body);
      if (!parsed.success) return z.prettifyError(parsed.error);
      Object.assign(switches, initial, parsed.data);
      return undefined;
    },
    reset() {
      Object.assign(switches, initial);
    },
  };
  return switches;
}

/** The handler of `POST /_control/<network>/switches`. */
export function switchesControl(switches: { set(body: unknown): string | undefined }): {
  switches(body: unknown): Answer;
} {
  return {
    switches(body) {
      const problem = switches.set(body);
      return problem ? Response.json({ error: problem }, { status: 400 }) : new Response(null, { status: 204 });
    },
  };
}
