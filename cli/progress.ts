/** Says what a command is doing. It may be called as often as the work likes. */
export type Say = (text: string) => void;

type Output = { isTTY?: boolean; write(text: string): unknown };

const QUIET_MS = 2_000;
const INTERVAL_MS = 1_000;

/**
 * Runs a command's work and shows its progress on standard error: nothing in the first two seconds, then at most once a second.
 * In a terminal the line is replaced, elsewhere each update is a line.
 */
export async function withProgress<T>(
  command: string,
  work: (say: Say) => Promise<T>,
  output: Output = process.stderr,
  now: () => number = () => performance.now(),
): Promise<T> {
  const begun = now();
  let shownAt: number | undefined;
  const say = (text: string) => {
    const at = now();
    if (at - begun < QUIET_MS || (shownAt !== undefined && at - shownAt < INTERVAL_MS)) return;
    shownAt = at;
    const line = `${command}: ${text} (${Math.round((at - begun) / 1000)} s)`;
    output.write(output.isTTY ? `\r${line}\u001b[K` : `${line}\n`);
  };
  try {
    return await work(say);
  } finally {
    if (shownAt !== undefined && output.isTTY) output.write("\r\u001b[K");
  }
}
