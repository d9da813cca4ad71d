import { afterAll, beforeAll } from "vitest";
import { env } from "../env";
import { serveFiles } from "../http/testing/file-server";

type Files = Awaited<ReturnType<typeof serveFiles>>;

/**
 * Runs a file server on an address that `EGRESS_ALLOW` permits while the tests of a file run, so that files can be imported
 * from it. Workers of other files may take the import jobs and have the same settings, so each file uses its own slot.
 */
export function withFiles(slot: number, answer: Parameters<typeof serveFiles>[0]): () => Files {
  let files: Files | undefined;
  beforeAll(async () => {
    files = await serveFiles(answer, env.egressAllow[slot]?.port);
  });
  afterAll(() => files?.close());
  return () => {
    if (!files) throw new Error("the file server is not up yet");
    return files;
  };
}
