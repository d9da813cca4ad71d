import { perProcess } from "../../db/per-process";
import { UnusableFile } from "../file-errors";
import type { TaskAnswer, TaskName, TaskRequest, Tasks } from "./child";
import { type Child, startChild, TaskEnded } from "./child";

/** The maximum number of processes, and so of files handled at a time. Each may use some hundred megabytes. */
const PLACES = 2;

type Pool = { resting: Child[]; underWay: number; waiting: (() => void)[] };

const pool = () => perProcess("media.workshop", (): Pool => ({ resting: [], underWay: 0, waiting: [] }));

/** Starts a process if none is running, so that it is ready when the file has arrived. */
export function openWorkshop(): void {
  const { resting, underWay } = pool();
  if (underWay === 0 && !resting.some((child) => child.isAlive())) resting.push(startChild());
}

/**
 * Handles a file in a separate process with limited memory and time, so that a malicious file cannot harm the process that
 * serves and publishes. If the process ends, the task is tried once more, because the file may not be the cause.
 * @throws UnusableFile
 */
export async function inWorkshop<N extends TaskName>(name: N, given: Tasks[N]["given"]): Promise<Tasks[N]["answer"]> {
  const request = { name, given } as TaskRequest; // the pair is one row of the table, which the compiler cannot infer
  const answer = (await withChild((child) => child.run(request))) as TaskAnswer<N>; // the answer of this task
  if ("answer" in answer) return answer.answer;
  if ("unusable" in answer) throw new UnusableFile(answer.unusable.kind, answer.unusable.message);
  throw new Error(`a file could not be handled: ${answer.failed}`);
}

async function withChild(work: (child: Child) => Promise<TaskAnswer>): Promise<TaskAnswer> {
  const shared = pool();
  if (shared.underWay < PLACES) shared.underWay += 1;
  else await new Promise<void>((resolve) => shared.waiting.push(resolve)); // takes over the place of the task that ends
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
    throw new UnusableFile("corrupt", "file needs more time or memory to decode than allowed");
  }
}
