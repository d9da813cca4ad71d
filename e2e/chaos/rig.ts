import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Platform } from "../../lib/platforms";
import type { OwnProduct } from "../setup/product";
import { root, surroundings } from "../setup/service";

/**
 * `settings` and `post` are the parts of the account's posts besides their text. `hasComment`: they have a first comment too.
 * `hasNoText`: the network keeps no text of them.
 */
type Connected = {
  id: number;
  person: string;
  network: string;
  settings: object;
  post: { attachmentPaths: string[]; chatId?: string };
  hasComment?: boolean;
  hasNoText?: true;
};
export type Person = { token: string; accounts: Connected[] };
/** `textless` is the account of a post without a text, whose posts look alike. */
export type Sent = {
  text: string;
  comment?: string;
  textless?: string;
  scheduleId: number;
  token: string;
  at: number;
  network: string;
};
type Held = { text: string; account: string; receivedTime: string };
export type Seen = {
  id: number;
  overallStatus: string;
  publications: { status: string; posts: { status: string }[]; firstComment?: { status: string } }[];
};

/** The accounts of a new person; `expired` of them have an expired token. `isMixed`: they take turns at all formats of the network. */
export type Wanted = { platform?: Platform; accounts: number; expired?: number; isMixed?: true };

/** Unique texts. Each ends with a full stop, so that none is a prefix of another. */
export function textsOf(name: string, seed: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${name} ${seed} ${n}.`);
}

/** Creates a person with these accounts. */
export async function personOf(product: OwnProduct, wanted: Wanted): Promise<Person> {
  const [person] = await peopleOf(product, [wanted]);
  if (!person) throw new Error("no person was created");
  return person;
}

/** Creates people with accounts, on X by default. */
export async function peopleOf(product: OwnProduct, people: Wanted[]): Promise<Person[]> {
  const { DATA_DIR, PORT, BASE_URL, SANDBOX_PORT, DATABASE_URL } = product.settings;
  const database = DATABASE_URL ? { DATABASE_URL } : {};
  const settings = { DATA_DIR, PORT, BASE_URL, SANDBOX_PORT, ...database, LOG_LEVEL: "silent" };
  const child = await residentFor(settings);
  const id = asked++;
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("the process that connects accounts has ended"));
    const onMessage = (answer: { id: number; people?: Person[]; error?: string }) => {
      if (answer.id !== id) return;
      child.off("message", onMessage).off("exit", onExit);
      if (answer.people) resolve(answer.people);
      else reject(new Error(answer.error));
    };
    child.on("message", onMessage).on("exit", onExit);
    child.send({ id, wanted: people.map((one) => ({ platform: "X_TWITTER", ...one })) });
  });
}

let asked = 0;
let resident: { settings: string; child: ChildProcess } | undefined;

/** The process that runs `connect.ts` for this product. It is kept, because starting one takes longer than most calls. */
async function residentFor(settings: { [name: string]: string | undefined }): Promise<ChildProcess> {
  connecting ??= bundledConnect();
  const script = await connecting;
  const wanted = JSON.stringify(settings);
  if (resident?.settings !== wanted || !resident.child.connected) {
    resident?.child.kill();
    const child = fork(script, { cwd: root, env: { ...surroundings, ...settings } });
    resident = { settings: wanted, child };
  }
  return resident.child;
}

let connecting: Promise<string> | undefined;

/** The environment variable that names the bundle of the run to the test processes. */
const CONNECT_SCRIPT = "CONNECT_SCRIPT";

/** Bundles `connect.ts` once for all processes of a Playwright run, as part of its set-up. */
export default async function bundleForRun(): Promise<void> {
  process.env[CONNECT_SCRIPT] = await bundledConnect();
}

/** Bundles `connect.ts`, because compiling it for each call takes longer than the call. */
async function bundledConnect(): Promise<string> {
  const given = process.env[CONNECT_SCRIPT];
  if (given) return given;
  const outfile = join(root, `test-results/connect-${process.pid}.mjs`);
  const { build } = await import("esbuild");
  await build({
    ...{ entryPoints: [join(root, "e2e/chaos/connect.ts")], outfile, logLevel: "error" },
    ...{ bundle: true, platform: "node", target: "node20", format: "esm", packages: "external" },
  });
  return outfile;
}

/** Creates one schedule for each text, eight at a time. A create is repeated while the service is down. */
export async function scheduleAll(product: OwnProduct, person: Person, texts: string[], at: Date): Promise<Sent[]> {
  const sent: Sent[] = [];
  const left = texts.entries();
  const one = async () => {
    for (const [index, text] of left) {
      const account = person.accounts[index % person.accounts.length];
      if (!account) throw new Error("this person has no account");
      const { id, person: owner, network, settings, post, hasComment, hasNoText } = account;
      // Not the post's text with more text around it, which would count as the post a second time.
      const comment = hasComment ? text.replaceAll(" ", "_") : undefined;
      // Where a title is required, the network's lists show the title and not the text.
      const title = "title" in settings ? { title: text } : {};
      const platformSettings = { ...settings, ...title, firstComment: comment };
      const on = { socialMediaAccountId: id, platformSettings, posts: [{ content: hasNoText ? "" : text, ...post }] };
      const body = JSON.stringify({ scheduledTime: at.toISOString(), publications: [on] });
      const { id: scheduleId } = await create(product, person.token, body, text);
      const textless = hasNoText && owner;
      sent.push({ text, comment, textless, scheduleId, token: person.token, at: at.getTime(), network });
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return sent;
}

async function create(product: OwnProduct, token: string, body: string, key: string): Promise<{ id: number }> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": key };
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${product.url}/v1/posts`, { method: "POST", headers, body }).catch(() => undefined);
    const status = answer?.status ?? 503;
    if (answer && status === 201) return answer.json();
    const isBusy = status === 503 || status === 409; // The service is down, or the first request with this key is still running.
    if (!isBusy || attempt > 300) throw new Error(`a create returned ${status}: ${await answer?.text()}`);
    await pause(100);
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The posts that a network has accepted, in order of arrival. */
export async function ledger(product: OwnProduct, network = "x"): Promise<Held[]> {
  // A new connection: a kept one may have been closed during a long search.
  const headers = { connection: "close" };
  return (await fetch(`${product.sandboxUrl}/_control/posts?network=${network}`, { headers })).json();
}

type Called = { operation: string; status: number; account?: string; time: string };

/** Every call that reached a network, in order of arrival. Status 0 means that it got no answer. */
export async function callsTo(product: OwnProduct, network = "x"): Promise<Called[]> {
  return (await fetch(`${product.sandboxUrl}/_control/calls?network=${network}`)).json();
}

export async function fault(product: OwnProduct, wanted: object): Promise<void> {
  const body = JSON.stringify({ network: "x", ...wanted });
  const answer = await fetch(`${product.sandboxUrl}/_control/faults`, { method: "POST", body });
  if (!answer.ok) throw new Error(`_control/faults: ${answer.status} ${await answer.text()}`);
}

const ENDS = ["COMPLETED", "PARTIALLY_COMPLETED", "FAILED"];

/** The schedules from the API once all have ended or the time is up. */
export async function settledAll(product: OwnProduct, sent: Sent[], seconds: number): Promise<Map<number, Seen>> {
  const until = performance.now() + seconds * 1000;
  const seen = new Map<number, Seen>();
  for (;;) {
    for (const token of new Set(sent.map((one) => one.token))) {
      for (const schedule of await listAll(product, token)) seen.set(schedule.id, schedule);
    }
    if (haveEnded(sent, seen) || performance.now() > until) return seen;
    await pause(1_000);
  }
}

/** Whether all of them have ended. */
export async function areOver(product: OwnProduct, sent: Sent[]): Promise<boolean> {
  return haveEnded(sent, await settledAll(product, sent, 0));
}

function haveEnded(sent: Sent[], seen: Map<number, Seen>): boolean {
  return sent.every(({ scheduleId }) => {
    const { overallStatus = "", publications = [] } = seen.get(scheduleId) ?? {};
    // A published post is followed by its comment.
    return ENDS.includes(overallStatus) && publications.every((one) => one.firstComment?.status !== "PENDING");
  });
}

async function listAll(product: OwnProduct, token: string): Promise<Seen[]> {
  const all: Seen[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = `limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${product.url}/v1/posts?${query}`, { headers }).catch(() => undefined);
    if (!answer?.ok) return all;
    const page: { items: Seen[]; nextCursor: string | null } = await answer.json();
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}
