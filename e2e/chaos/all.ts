import type { Trial } from "../trials/trial";
import { fair } from "./fair";
import { kills } from "./kills";
import { lossy } from "./lossy";
import { rolling } from "./rolling";
import { stopped } from "./stopped";
import { storm } from "./storm";

/** `npm run chaos`: publishing while processes, networks and the database fail. */
export const chaos: { [name: string]: Trial } = {
  t1: kills,
  t3: lossy,
  t4: stopped,
  t8: storm,
  t10: fair,
  t25: rolling,
};
