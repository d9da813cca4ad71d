import type { Look } from "../look";
import type { Conversion, Recipe } from "../recipe";

/** What is done with a file apart from the processes that serve and publish; each names the file by its path. */
export type Tasks = {
  look: { given: { path: string }; answer: Look };
  convert: { given: { path: string; recipe: Recipe; to: string }; answer: Conversion };
};

export type TaskName = keyof Tasks;

export type TaskRequest = { [N in TaskName]: { name: N; given: Tasks[N]["given"] } }[TaskName];

/** `unusable`: what is wrong with the file; `failed`: with us. */
export type TaskAnswer<N extends TaskName = TaskName> =
  | { answer: Tasks[N]["answer"] }
  | { unusable: { kind: "unsupported" | "corrupt"; message: string } }
  | { failed: string };
