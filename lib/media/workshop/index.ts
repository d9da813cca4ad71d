import { perProcess } from "../../db/per-process";
import { fairPlaces } from "../../jobs/places";
import { UnusableFile } from "../file-errors";
import type { TaskAnswer, TaskName, TaskRequest, Tasks } from "./child";
import { type Child, isTaskEnded, startChild } from "./child";

/**
 * The numbers of processes, and so of files handled at a time. Each may use some hundred megabytes. Publishing has its own,
 * so that a post that is due never waits for the files that users send.
 */
const PLACES = { intake: 2, publishing: 2 };

/** Whose file it is, and whether a post that is due waits for it. */
export type WorkshopTurn = { ownerId: string; lane: keyof typeof PLACES };

const shared = perProcess("media.workshop", () => ({
  resting: [] as Child[],
  intake: fairPlaces(PLACES.intake),
  publishing: fairPlaces(PLACES.publishing),
}));

/** Starts a process if none is running, so that it is ready when the file has arrived. */
export function openWorkshop(): void {
  const { resting, intake } = shared;
  if (intake.taken === 0 && !resting.some((child) => child.isAlive())) resting.push(startChild());
}

/**
 * Handles a file in a separate process with limited memory and time, so that a malicious file cannot harm the process that
 * serves and publishes. If the process ends, the task is tried once more, because the file may not be the cause.
 * @throws UnusableFile
 */
export async function inWorkshop<N extends TaskName>(
  name: N,
  given: Tasks[N]["given"],
  turn: WorkshopTurn,
): Promise<Tasks[N]["answer"]> {
  const request = { name, given } as TaskRequest; // the pair is one row of the table, which the compiler cannot infer
  const answer = (await inTurn(turn, (child) => child.run(request))) as TaskAnswer<N>; // the answer of this task
  if ("answer" in answer) return answer.answer;
  if ("unusable" in answer) throw new UnusableFile(answer.unusable.kind, answer.unusable.message);
  throw Object.assign(new Error(`a file could not be handled: ${answer.failed}`), { code: answer.code });
}

async function inTurn(
  { ownerId, lane }: WorkshopTurn,
  work: (child: Child) => Promise<TaskAnswer>,
): Promise<TaskAnswer> {
  const release = await shared[lane].take(ownerId);
  try {
    return await attempt(work);
  } finally {
    release();
  }
}

/** The second attempt uses a new process, because whatever ended the first one may have ended all resting ones too. */
async function attempt(work: (child: Child) => Promise<TaskAnswer>, isSecond = false): Promise<TaskAnswer> {
  const child = (isSecond ? undefined : restingChild()) ?? startChild();
  try {
    const answer = await work(child);
    if (!("failed" in answer)) {
      shared.resting.push(child);
      return answer;
    }
    child.end(); // after an unexpected failure, for example without memory, it may fail every file
    return isSecond || answer.code !== undefined ? answer : attempt(work, true);
  } catch (error) {
    if (!isTaskEnded(error)) throw error;
    if (!isSecond && !error.tookTooLong) return attempt(work, true);
    throw new UnusableFile("corrupt", "file needs more time or memory to decode than allowed");
  }
}

function restingChild(): Child | undefined {
  let child = shared.resting.pop();
  while (child && !child.isAlive()) child = shared.resting.pop();
  return child;
}
