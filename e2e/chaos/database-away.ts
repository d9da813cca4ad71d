import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, openCluster } from "../../lib/db/cluster";
import { existingDir } from "../../lib/db/embedded/location";
import { type Answer, type Asked, send } from "../trials/http";
import { authorizePath, newApplication, newPerson, type partnerToken, signIn } from "../trials/people";
import type { Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { withChildren } from "./postgres";
import { openRelay, type Relay } from "./relay";
import { pause, personOf, scheduleAll, textsOf } from "./rig";

/** 5 s, and some time for a busy machine. */
const ANSWER_MS = 5_500;
const ATTEMPTS_PER_SECOND = 2;
/** The attempts that were under way when the database went away. */
const FIRST_ATTEMPTS = 4;

/** The database of the trial and one relay to it for each process, so that the attempts of each can be counted. */
type Line = { cluster: Cluster; dataDir: string; relays: { [who: string]: Relay } };
let line: Line | undefined;

/** T34: the database is down for minutes, then hangs. (A full disk: lib/media/full-disk.test.ts and T12.) */
export const databaseAway: Trial = {
  id: "T34",
  guarantee:
    "the database is down, then hangs: 503 with Retry-After within 5 s; at most 2 connection attempts per second and process; all recover",
  async settings() {
    line ??= await openLine();
    return { DATABASE_URL: line.relays.web?.url ?? "", WORKER: "off" };
  },
  async run(context, size) {
    if (!line) throw new Error("the trial's settings were not read");
    const { product, fail, log, seed } = context;
    const [downSeconds, hangSeconds] = size === "short" ? [20, 15] : [600, 60];
    const workers = await Promise.all(
      ["one", "two"].map((who) => product.startWorker({ DATABASE_URL: line?.relays[who]?.url ?? "" })),
    );
    const person = await personOf(product, { accounts: 4 });
    const surfaces = await surfacesOf(context, person.token);
    const figures: { [name: string]: unknown } = {};
    try {
      for (const [name, seconds, away] of [
        ["down", downSeconds, refuseAll(line)],
        ["hanging", hangSeconds, stopServer(line)],
      ] as const) {
        const due = new Date(Date.now() + (seconds * 1000) / 2);
        const sent = await scheduleAll(product, person, textsOf(name, seed, 12), due);
        await away.begin();
        log(`the database is ${name} for ${seconds} s`);
        const since = performance.now();
        const answers: { [surface: string]: string } = {};
        for (let round = 0; round < 3 || performance.now() - since < seconds * 1000; round++) {
          await Promise.all(surfaces.map((surface) => ask(context, name, surface, answers)));
          await pause(round < 3 ? 100 : 2_000);
        }
        const lasted = (performance.now() - since) / 1000;
        const attempts = away.attempts();
        await away.end();
        for (const [who, count] of Object.entries(attempts)) {
          if (count > ATTEMPTS_PER_SECOND * lasted + FIRST_ATTEMPTS)
            fail(`${name}: ${who} tried ${count} times in ${lasted} s`);
        }
        const recoveredSeconds = await secondsUntilUp(context, person.token);
        for (const [n, worker] of workers.entries()) if (!worker.isUp()) fail(`worker ${n + 1} ended`);
        const counts = await invariants(context, sent, 60);
        figures[name] = { seconds: Math.round(lasted), attempts, answers, recoveredSeconds, ...counts };
      }
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
      await product.stopWeb();
      await closeLine(line);
      line = undefined;
    }
    return figures;
  },
  endsUp: false,
};

type Surface = { name: string; path: string; asked?: Asked };

/** One request to each way into the product. */
async function surfacesOf({ product }: TrialContext, token: string): Promise<Surface[]> {
  const { email } = await newPerson(product, "away@example.com");
  const cookie = await signIn(product, email);
  const application = await newApplication(product);
  const partner = (await product.carillon("partners", "create", "--name", "Away")) as Parameters<
    typeof partnerToken
  >[1];
  const authorization = `Bearer ${token}`;
  const json = (body: object, headers = {}): Asked => ({
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const form = (fields: { [name: string]: string }): Asked => ({
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: product.url },
    body: new URLSearchParams(fields).toString(),
  });
  const { clientId: client_id, clientSecret: client_secret } = partner;
  const upload = { "content-type": "image/png", "x-original-filename": "a.png", authorization };
  return [
    { name: "list", path: "/v1/posts", asked: { headers: { authorization } } },
    { name: "accounts", path: "/v1/accounts", asked: { headers: { authorization } } },
    { name: "create", path: "/v1/posts", asked: json({ isDraft: true, publications: [] }, { authorization }) },
    {
      name: "token",
      path: "/oauth/token",
      asked: json({ grant_type: "client_credentials", client_id, client_secret }),
    },
    { name: "authorize", path: authorizePath(application), asked: { headers: { cookie } } },
    { name: "sign-in page", path: "/sign-in", asked: { headers: { cookie } } },
    { name: "sign-in", path: "/sign-in", asked: form({ email, password: "a long password" }) },
    { name: "sign-up", path: "/sign-up", asked: form({ email: "b@example.com", password: "a long password" }) },
    { name: "connect", path: "/oauth/connect?whitelabel_state=a" },
    { name: "dashboard", path: "/", asked: { headers: { cookie } } },
    { name: "calendar", path: "/calendar", asked: { headers: { cookie } } },
    { name: "settings", path: "/settings", asked: { headers: { cookie } } },
    { name: "session", path: "/api/auth/session", asked: { headers: { cookie } } },
    {
      name: "upload",
      path: "/v1/media/upload",
      asked: { method: "POST", headers: upload, body: Buffer.alloc(100_000) },
    },
  ];
}

/** Without the database, a surface answers in time: with what needs no database, or with 503. */
async function ask(
  { product, fail }: TrialContext,
  when: string,
  surface: Surface,
  answers: { [name: string]: string },
) {
  const { name, path, asked } = surface;
  const answer = await send(product.url, path, asked).catch((error: Error) => error);
  if (answer instanceof Error) return fail(`${when}: ${name} was not answered: ${answer.message}`);
  const slowest = Math.max(Number(answers[name]?.split(" ")[1] ?? 0), Math.round(answer.ms));
  answers[name] = `${answer.status} ${slowest}`;
  const problem = problemOf(answer);
  if (problem) fail(`${when}: ${name} ${problem}: ${answer.text.slice(0, 200)}`);
}

function problemOf({ status, ms, headers }: Answer): string | undefined {
  if (ms > ANSWER_MS) return `was answered after ${Math.round(ms)} ms`;
  if (status >= 500 && status !== 503) return `was answered with ${status}`;
  return status === 503 && !headers["retry-after"] ? "has no Retry-After" : undefined;
}

async function secondsUntilUp({ product, fail }: TrialContext, token: string): Promise<number> {
  const since = performance.now();
  const isUp = () =>
    send(product.url, "/v1/posts", { headers: { authorization: `Bearer ${token}` } }).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isUp()) && performance.now() - since < 60_000) await pause(100);
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  if (seconds > 10) fail(`requests worked again after ${seconds} s`);
  return seconds;
}

async function openLine(): Promise<Line> {
  const dataDir = await mkdtemp(join(tmpdir(), "carillon-line-"));
  const cluster = await openCluster({ dataDir, purpose: "command" });
  const relays = await Promise.all(
    ["web", "one", "two"].map(async (who) => [who, await openRelay(cluster.url)] as const),
  );
  return { cluster, dataDir, relays: Object.fromEntries(relays) };
}

async function closeLine({ cluster, dataDir, relays }: Line): Promise<void> {
  await Promise.all(Object.values(relays).map((one) => one.close()));
  await cluster.release();
  await rm(dataDir, { recursive: true, force: true });
}

const countAll = ({ relays }: Line) =>
  Object.fromEntries(Object.entries(relays).map(([who, one]) => [who, one.attempts()]));

/** Every connection is closed, and every new one at once. */
function refuseAll(on: Line) {
  const refuse = async (isOn: boolean) => {
    for (const one of Object.values(on.relays)) one.refuse(isOn);
  };
  return { begin: () => refuse(true), attempts: () => countAll(on), end: () => refuse(false) };
}

/** The processes of the server are suspended: connections stay open, new ones are accepted by the kernel, nothing answers. */
function stopServer(on: Line) {
  const signal = async (name: NodeJS.Signals) => {
    for (const pid of await processesOf(on.dataDir)) process.kill(pid, name);
  };
  return {
    async begin() {
      for (const one of Object.values(on.relays)) one.reset();
      await signal("SIGSTOP");
    },
    attempts: () => countAll(on),
    end: () => signal("SIGCONT"),
  };
}

/** The server of a folder and its children, the server first. */
async function processesOf(dataDir: string): Promise<number[]> {
  const lock = await readFile(join((await existingDir(dataDir)) ?? "", "postmaster.pid"), "utf8");
  return withChildren(Number(lock.split("\n")[0]));
}
