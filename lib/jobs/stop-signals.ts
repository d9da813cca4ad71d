/**
 * How a process is told to stop. `inOrder`: SIGTERM, as a service manager or an orchestrator sends it before it sends requests
 * elsewhere. `soon`: Ctrl-C on a terminal. `now`: a second signal.
 */
export type Stop = "inOrder" | "soon" | "now";

/** npm passes a terminal's Ctrl-C on to this process, which the terminal has told already. */
const SAME_SIGNAL_MS = 500;

/**
 * Handles SIGTERM and SIGINT. As PID 1 of a container, a process without handlers would ignore both.
 * @param stop is called for each signal, except for one that follows the first at once
 */
export function onStopSignals(stop: (how: Stop) => void): void {
  let firstAt: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (firstAt === undefined) {
        firstAt = now;
        stop(signal === "SIGTERM" ? "inOrder" : "soon");
      } else if (now - firstAt > SAME_SIGNAL_MS) stop("now");
    });
  }
}
