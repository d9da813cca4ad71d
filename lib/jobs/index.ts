export { watchEventLoop } from "./event-loop";
export {
  defineJob,
  enqueue,
  enqueueAll,
  enqueueRef,
  type Job,
  type JobKind,
  type JobRef,
  jobRef,
  removeJob,
  type Worker,
} from "./job";
export { pollingLoop } from "./polling-loop";
export { isPossiblyAlive, type ListedWorker, listWorkers, WorkerLost } from "./presence";
export { purgeLoop } from "./purge";
export { type BackgroundTask, type Loop, onEveryWorker, startWorker } from "./runner";
export { onStopSignals, type Stop } from "./stop-signals";
