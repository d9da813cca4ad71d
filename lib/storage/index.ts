import { env } from "../env";
import { disk, linkFromDisk } from "./disk";
import { s3Store } from "./s3";
import type { Store } from "./store";

export { consume, SENDER_PACE, type SenderPace, SlowSender, StreamCut } from "./consume";
export { assertFreeSpace, freeDiskBytes, type ReservedSpace, reserveSpace, storageErrorOf } from "./free-space";
export { discardPartial, openPartial, partialNames } from "./partial";
export { corsProblem } from "./s3";
export { putProblem } from "./signed-put";
export {
  discard,
  discardAbandoned,
  openStaged,
  type Staged,
  type StagedFile,
  StreamTooLong,
  stage,
  stageCopy,
  stageUndigested,
  stageWrittenBy,
} from "./staged";
export type { ByteRange, ListedObject, ObjectName } from "./store";
export { assertObjectName, storeProblem, uploadOf } from "./store";
export { StoreRefused, StoreUnavailable } from "./unavailable";

export { linkFromDisk };

/** The store selected by the settings. */
export const store: Store = env.s3 ? s3Store(env.s3) : disk;
