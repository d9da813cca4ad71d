import sharp from "sharp";
import { convert } from "../convert-here";
import { lookHere } from "../look-here";
import { UnusableFile } from "../unusable";
import type { TaskAnswer, TaskRequest } from "./task";

/**
 * The process in which files of others are decoded: one task at a time, under the limits that its parent has set. A file
 * that is made to do harm ends this process and nothing else.
 */
sharp.cache(false);
sharp.concurrency(1);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {}); // its parent decides; Ctrl-C reaches both
process.on("disconnect", () => process.exit());

process.on("message", async (request: TaskRequest) => {
  process.send?.(await answerTo(request));
});

async function answerTo(request: TaskRequest): Promise<TaskAnswer> {
  try {
    const answer = request.name === "look" ? await lookHere(request.given.path) : await convert(request.given);
    return { answer };
  } catch (error) {
    if (error instanceof UnusableFile) return { unusable: { kind: error.kind, message: error.message } };
    return { failed: String(error) };
  }
}
