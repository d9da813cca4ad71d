import { beforeEach } from "vitest";
import { bucket } from "./bucket";

/**
 * Runs before each test file of the project `s3`, before anything reads the settings: its objects are stored in the bucket of
 * the run. Without a bucket, its tests are skipped.
 */
Object.assign(process.env, bucket);
const { env } = await import("../env");
if (bucket && !env.s3) throw new Error("the settings were read before the bucket was known");
if (!bucket) beforeEach(({ skip }) => skip("no S3 store could be started"));
