import { beforeEach } from "vitest";
import { bucket } from "./bucket";

/**
 * Set up before each test file of the project `s3`, ahead of anything that reads the settings: its objects are kept in the
 * bucket of the run. Where there is none its tests are skipped.
 */
Object.assign(process.env, bucket);
const { env } = await import("../env");
if (bucket && !env.s3) throw new Error("the settings were read before the bucket was known");
if (!bucket) beforeEach(({ skip }) => skip("no S3 store could be started"));
