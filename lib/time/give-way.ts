/** Other requests wait while one holds the event loop, so long work is interrupted this often. */
const MOST_MS = 10;

let since = 0;

/** Lets other requests run if work has held the event loop for 10 ms. Call it between the parts of work that may be long. */
export async function giveWay(): Promise<void> {
  if (performance.now() - since < MOST_MS) return;
  await new Promise((resolve) => setImmediate(resolve));
  since = performance.now();
}
