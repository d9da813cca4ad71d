import { perProcess } from "../../db/per-process";
import { UnusableFile } from "../file-errors";
import type { TaskAnswer, TaskName, TaskRequest, Tasks } from "./child";
import { type Child, startChild, TaskEnded } from "./child";

/** Processes at most, so files that are worked on at a time: each may hold some hundred megabytes. */
const PLACES = 2;

type Pool = { resting: Child[]; underWay: number; waiting: (() => void)[] };

const pool = () => perProcess("media.workshop", (): Pool => ({ resting: [], underWay: 0, waiting: [] }));

/** Starts a process if there is none, so that it is there when a file has come. */
export function openWorkshop(): void {
  const { resting, underWay } = pool();
  if (underWay === 0 && !resting.some((child) => child.isAlive())) resting.push(startChild());
}

/**
 * Has a file worked on in a process of its own, limited in memory and in time: whatever a file was made to do, the one that
 * serves and publishes goes on. A process that ends in the middle of a file ends again with the same file, or it was not
 * the file's fault; so that is tried once.
 * @throws UnusableFile
 */
export async function inWorkshop<N extends TaskName>(name: N, given: Tasks[N]["given"]): Promise<Tasks[N]["answer"]> {
  const request = { name, given } as TaskRequest; // the pair is one of the table's rows, which the compiler cannot follow
  const answer = (await withChild((child) => child.run(request))) as TaskAnswer<N>; // what this task answers
  if ("answer" in answer) return answer.answer;
  if ("unusable" in answer) throw new UnusableFile(answer.unusable.kind, answer.unusable.message);
  throw new Error(`a file could not be worked on: ${answer.failed}`);
}

async function withChild(work: (child: Child) => Promise<TaskAnswer>): Promise<TaskAnswer> {
  const shared = pool();
  if (shared.underWay < PLACES) shared.underWay += 1;
  else await new Promise<void>((resolve) => shared.waiting.push(resolve)); // and takes over the place of whoever ends
  try {
    return await attempt(work, 1);
  } finally {
    const next = shared.waiting.shift();
    if (next) next();
    else shared.underWay -= 1;
  }
}

async function attempt(work: (child: Child) => Promise<TaskAnswer>, again: number): Promise<TaskAnswer> {
  const { resting } = pool();
  let child = resting.pop();
  while (child && !child.isAlive()) child = resting.pop();
  child ??= startChild();
  try {
    const answer = await work(child);
    resting.push(child);
    return answer;
  } catch (error) {
    if (!(error instanceof TaskEnded)) throw error;
    if (again > 0 && !error.tookTooLong) return attempt(work, again - 1);
    throw new UnusableFile("corrupt", "file takes more time or memory to decode than a file may");
  }
}
