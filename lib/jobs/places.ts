/** Returns the place to the others. */
type Release = () => void;

export type Places = {
  /** Waits for a place for one of this owner's tasks. The owners who wait take turns. */
  take(ownerId: string): Promise<Release>;
  /** The tasks that have a place. */
  readonly taken: number;
};

/**
 * A number of places that owners share fairly. One owner never has all of them, so that slow tasks of one owner cannot stop
 * everybody else, and a free place goes to the waiting owner whose last turn was longest ago.
 */
export function fairPlaces(count: number): Places {
  const perOwner = Math.max(1, count - 1);
  const running = new Map<string, number>();
  const waiting = new Map<string, ((release: Release) => void)[]>();
  /** The number of the last turn of each owner who has a place or waits for one. */
  const lastTurns = new Map<string, number>();
  let turns = 0;
  let taken = 0;

  const mayRun = (ownerId: string) => taken < count && (running.get(ownerId) ?? 0) < perOwner;

  function start(ownerId: string): Release {
    taken += 1;
    turns += 1;
    lastTurns.set(ownerId, turns);
    running.set(ownerId, (running.get(ownerId) ?? 0) + 1);
    return () => {
      taken -= 1;
      const left = (running.get(ownerId) ?? 0) - 1;
      if (left > 0) running.set(ownerId, left);
      else running.delete(ownerId);
      startNext();
      if (!running.has(ownerId) && !waiting.has(ownerId)) lastTurns.delete(ownerId);
    };
  }

  function startNext(): void {
    let next: string | undefined;
    const lastTurn = (ownerId: string) => lastTurns.get(ownerId) ?? 0;
    for (const ownerId of waiting.keys())
      if (mayRun(ownerId) && (next === undefined || lastTurn(ownerId) < lastTurn(next))) next = ownerId;
    if (next === undefined) return;
    const tasks = waiting.get(next) ?? [];
    const begin = tasks.shift();
    if (tasks.length === 0) waiting.delete(next);
    begin?.(start(next));
  }

  return {
    get taken() {
      return taken;
    },
    take(ownerId) {
      if (mayRun(ownerId)) return Promise.resolve(start(ownerId));
      const tasks = waiting.get(ownerId) ?? [];
      waiting.set(ownerId, tasks);
      return new Promise((resolve) => tasks.push(resolve));
    },
  };
}
