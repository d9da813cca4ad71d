export { defineJob, type Enqueue, enqueue, type Job, type Worker, withdraw } from "./job";
export { isPossiblyAlive, WorkerLost } from "./presence";
export { type Loop, startWorker } from "./runner";
