export { defineJob, enqueue, type Job, type JobKind, type Worker, withdraw } from "./job";
export { isPossiblyAlive, WorkerLost } from "./presence";
export { purgeLoop } from "./purge";
export { enqueueRef, type JobRef, refTo } from "./ref";
export { type Duty, type Loop, startWorker } from "./runner";
