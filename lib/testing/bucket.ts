import type { TestBucket } from "../../e2e/setup/swift";

/** The S3 store of the test run; undefined if none could be started. */
export const bucket: TestBucket | undefined = process.env.TEST_BUCKET ? JSON.parse(process.env.TEST_BUCKET) : undefined;
