import { env } from "../env";
import type { FailPoint } from "./fail-points";

/** `kill` ends the process as a crash would; `stop` makes it stand still until it is told to go on. */
type Action = "kill" | "stop" | (() => void | Promise<void>);

const armed = new Map<FailPoint, { action: Action; after: number }>();

/**
 * Arms a point for its nth passing, once. Only where the settings have fail-points at all, which they never do off this
 * machine (`FAIL_POINTS`, lib/env.ts).
 */
export function armFailPoint(point: FailPoint, action: Action, nth = 1): void {
  if (!env.failPoints) throw new Error("fail-points are off: set FAIL_POINTS, which works on a loopback BASE_URL only");
  armed.set(point, { action, after: nth });
}

for (const { point, action, nth } of env.failPoints ?? []) armFailPoint(point, action, nth);

/** Does nothing, unless a test has armed this point. */
export async function failPoint(point: FailPoint): Promise<void> {
  if (armed.size === 0) return;
  const trap = armed.get(point);
  if (!trap) return;
  trap.after -= 1;
  if (trap.after > 0) return;
  armed.delete(point);
  if (typeof trap.action === "function") return trap.action();
  process.kill(process.pid, trap.action === "kill" ? "SIGKILL" : "SIGSTOP");
}
