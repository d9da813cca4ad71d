import { env } from "../env";
import { disk } from "./disk";
import { s3Store } from "./s3";
import type { Store } from "./store";

export { consume, StreamCut } from "./consume";
export { browserPutProblem } from "./cors";
export { PACE, type Pace, SlowSender } from "./pace";
export { discardPartial, openPartial } from "./partial";
export { putProblem } from "./signed-put";
export {
  discard,
  discardAbandoned,
  openStaged,
  type Staged,
  type StagedFile,
  StreamTooLong,
  stage,
  stageBy,
  stageUndigested,
} from "./staged";
export type { ByteRange, ObjectName } from "./store";
export { uploadOf } from "./store";

/** The store that the settings name. */
export const store: Store = env.s3 ? s3Store(env.s3) : disk;
