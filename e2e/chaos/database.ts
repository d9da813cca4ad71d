import { randomUUID } from "node:crypto";
import type { OwnProduct } from "../setup/product";
import type { Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { onDatabase } from "./on-database";
import { callsTo, type Person, pause, personOf, scheduleAll, textsOf } from "./rig";

/** T12: the database's connections are killed one after the other, then its disk is full. */
export const database: Trial = {
  id: "T12",
  guarantee:
    "connections to the database are killed, then it is full: the API answers 2xx or 503 in JSON; no intent, no call",
  async run(context, size) {
    const { product, fail, log, seed } = context;
    const [posts, kills] = size === "short" ? [20, 8] : [300, 50];
    const person = await personOf(product, { accounts: 10 });
    const asking = askAllTheTime(context, person);
    const scheduling = scheduleAll(product, person, textsOf("cut", seed, posts), new Date());
    for (let n = 0; n < kills; n++) {
      await pause(100 + context.random() * 300);
      await onDatabase(product, KILL_ONE);
      log(`${n + 1} of ${kills} connections killed`);
    }
    const sent = await scheduling;
    const counts = await invariants(context, sent, 120);
    const full = await whileFull(context, person);
    const answers = await asking.end();
    if (!Object.keys(answers).some((status) => status.startsWith("2"))) fail("nothing was answered with 2xx");
    return { posts, kills, answers, ...counts, full };
  },
};

const KILL_ONE = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'carillon%' and pid <> pg_backend_pid() order by random() limit 1`;

/** Makes inserts of steps and schedules fail as on a full disk (PostgreSQL's error 53100). */
const FULL = `
  create or replace function disk_full() returns trigger language plpgsql as
    'begin raise exception ''could not extend file: No space left on device'' using errcode = ''53100''; end';
  create trigger disk_full before insert on publish_steps for each row execute function disk_full();
  create trigger disk_full before insert on idempotency_keys for each row execute function disk_full()`;
const ROOM = "drop function disk_full cascade";

/** For some seconds nothing can be stored: creates are refused, and due posts wait without a final call. */
async function whileFull(context: TrialContext, person: Person) {
  const { product, fail, seed } = context;
  const due = new Date(Date.now() + 3_000);
  const sent = await scheduleAll(product, person, textsOf("full", seed, 10), due);
  await onDatabase(product, FULL);
  const finals = async () => (await callsTo(product)).filter(({ operation }) => operation === "publish").length;
  const before = await finals();
  const refused = await create(product, person);
  if (refused !== 503) fail(`a create that could not be stored was answered with ${refused}`);
  await pause(8_000);
  const calls = (await finals()) - before;
  if (calls > 0) fail(`${calls} final calls were made although no intent could be stored`);
  await onDatabase(product, ROOM);
  const counts = await invariants(context, sent, 120);
  if (counts.published !== sent.length) fail(`${sent.length - counts.published} did not go out when there was room`);
  return { refused, callsWithoutIntent: calls, ...counts };
}

async function create(product: OwnProduct, { token, accounts: [account] }: Person): Promise<number> {
  const on = { socialMediaAccountId: account?.id, platformSettings: account?.settings, posts: [{ content: "a" }] };
  const body = JSON.stringify({ scheduledTime: "2031-01-01T00:00:00Z", isDraft: true, publications: [on] });
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  return (await fetch(`${product.url}/v1/posts`, { method: "POST", headers, body })).status;
}

/** How long an answer may take. Longer than every time limit of the product's own database queries. */
const ANSWER_MS = 60_000;

/** Calls the API in a loop until `end`. Each answer must be JSON with a status of 2xx or 503. */
function askAllTheTime({ product, fail }: TrialContext, person: Person) {
  const answers: { [status: string]: number } = {};
  let isOver = false;
  const headers = { authorization: `Bearer ${person.token}` };
  async function ask(path: string): Promise<void> {
    const answer = await fetch(`${product.url}${path}`, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await answer.text();
    answers[answer.status] = (answers[answer.status] ?? 0) + 1;
    if (!answer.ok && answer.status !== 503) fail(`${path} was answered with ${answer.status}: ${text.slice(0, 200)}`);
    if (!isJson(text)) fail(`${path} was not answered in JSON: ${text.slice(0, 200)}`);
  }
  const asking = (async () => {
    while (!isOver) {
      for (const path of ["/v1/accounts", "/v1/posts?limit=5", "/v1/media"]) {
        await ask(path).catch((error: Error) => fail(`${path} was not answered: ${error} (${error.cause})`));
      }
      await pause(20);
    }
  })();
  return {
    async end() {
      isOver = true;
      await asking;
      return answers;
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
