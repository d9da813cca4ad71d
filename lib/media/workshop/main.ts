import sharp from "sharp";
import { UnusableFile } from "../file-errors";
import { isFilm, isRewrap } from "../recipe";
import type { TaskAnswer, TaskRequest } from "./child";
import { convertImage } from "./convert-image";
import { inspectInProcess } from "./inspect";
import { makeFilm } from "./make-film";
import { rewrapVideo } from "./rewrap-video";

/**
 * The process that decodes files from users: one task at a time, under the limits set by its parent. A malicious file can
 * end this process and nothing else.
 */
sharp.cache(false);
sharp.concurrency(1);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {}); // only the parent decides; Ctrl-C reaches both
process.on("disconnect", () => process.exit());

process.on("message", async (request: TaskRequest) => {
  process.send?.(await answerTo(request));
});

async function answerTo(request: TaskRequest): Promise<TaskAnswer> {
  try {
    return { answer: await answerOf(request) };
  } catch (error) {
    if (error instanceof UnusableFile) return { unusable: { kind: error.kind, message: error.message } };
    return { failed: String(error), code: (error as NodeJS.ErrnoException).code };
  }
}

function answerOf({ name, given }: TaskRequest) {
  if (name === "look") return inspectInProcess(given.path);
  const { recipe, ...files } = given;
  if (isRewrap(recipe)) return rewrapVideo({ ...files, recipe });
  return isFilm(recipe) ? makeFilm({ ...files, recipe }) : convertImage({ ...files, recipe });
}
