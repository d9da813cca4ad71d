export { defineJob, enqueue, enqueuing, type Job, type JobKind, jobSpec, type Worker, withdraw } from "./job";
export { isPossiblyAlive, WorkerLost } from "./presence";
export { purgeLoop } from "./purge";
export { enqueueRef, type JobRef, refTo } from "./ref";
export { type Loop, startWorker } from "./runner";
