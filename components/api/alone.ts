/** Does something, unless it or its like is under way: a second press comes sooner than state that says so. */
export async function alone(underWay: { current: boolean }, work: () => Promise<unknown>): Promise<void> {
  if (underWay.current) return;
  underWay.current = true;
  try {
    await work();
  } finally {
    underWay.current = false;
  }
}
