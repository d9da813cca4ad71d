import { authorization } from "./authorization";
import { canaries } from "./canaries/trial";
import { fuzz } from "./fuzz/trial";
import { idempotency } from "./idempotency";
import { intruder } from "./intruder/trial";
import { load } from "./load";
import type { Trial } from "./trial";
import { uploads } from "./uploads";

/** The trials of `npm run trials`: the product under abuse and load. */
export const trials: { [name: string]: Trial } = {
  t13: idempotency,
  t15: fuzz,
  t19: authorization,
  t21: load,
  t22: uploads,
  t23: canaries(),
  intruder: intruder(),
};
