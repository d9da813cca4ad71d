import { afterAll, beforeAll } from "vitest";
import { env } from "../env";
import { serveFiles } from "../http/testing/file-server";

type Files = Awaited<ReturnType<typeof serveFiles>>;

/**
 * A server on one of the run's exceptions of `EGRESS_ALLOW`, from which files can be imported while the tests of a file run.
 * The workers of other files may take its jobs and know the same exceptions, so each file has a slot of its own.
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
