import { env } from "../env";
import type { FailPoint } from "./fail-points";

/** `kill` ends the process like a crash (SIGKILL); `stop` suspends it until SIGCONT. A function runs in place. */
type Action = "kill" | "stop" | (() => void | Promise<void>);

const armed = new Map<FailPoint, { action: Action; passesLeft: number }>();

/**
 * Arms a fail point: the action runs once, when the point is passed for the nth time.
 * @throws Error unless `FAIL_POINTS` is set, which is allowed only on a loopback BASE_URL
 */
export function armFailPoint(point: FailPoint, action: Action, nth = 1): void {
  if (!env.failPoints)
    throw new Error("fail points are off: set FAIL_POINTS, which is allowed only on a loopback BASE_URL");
  armed.set(point, { action, passesLeft: nth });
}

for (const { point, action, nth } of env.failPoints ?? []) armFailPoint(point, action, nth);

/** Marks a point at which a test can interrupt the process. Does nothing unless a test armed it. */
export async function failPoint(point: FailPoint): Promise<void> {
  if (armed.size === 0) return;
  const entry = armed.get(point);
  if (!entry) return;
  entry.passesLeft -= 1;
  if (entry.passesLeft > 0) return;
  armed.delete(point);
  if (typeof entry.action === "function") return entry.action();
  process.kill(process.pid, entry.action === "kill" ? "SIGKILL" : "SIGSTOP");
}
