import type { Trial } from "../trials/trial";
import { database } from "./database";
import { databaseAway } from "./database-away";
import { everyStep } from "./every-step";
import { failover } from "./failover";
import { fair } from "./fair";
import { hostileInput } from "./hostile-input/trial";
import { kills } from "./kills";
import { lossy } from "./lossy";
import { otherHost } from "./other-host";
import { outage } from "./outage";
import { poison } from "./poison";
import { killedRefresh, oneRefresh } from "./refresh";
import { restored } from "./restored";
import { rolling } from "./rolling";
import { stopped } from "./stopped";
import { storm } from "./storm";
import { suspended } from "./suspended";
import { upgrade } from "./upgrade";
import { webhooks } from "./webhooks";

/** The trials of `npm run chaos`: publishing while processes, networks and the database fail. */
export const chaos: { [name: string]: Trial } = {
  t1: kills,
  t2: everyStep,
  t3: lossy,
  t4: stopped,
  t6: oneRefresh,
  t7: killedRefresh,
  t8: storm,
  t9: outage,
  t10: fair,
  t11: poison,
  t12: database,
  t14: webhooks,
  t25: rolling,
  t26: restored,
  t27: suspended,
  t28: otherHost,
  t29: upgrade,
  t32: hostileInput,
  t34: databaseAway,
  t35: failover,
};
