import type { OwnProduct } from "../setup/product";
import { type Answer, type Headers, jsonOf, send, sendJson } from "./http";
import { connectAccount, newPerson } from "./people";
import type { Size, Trial, TrialContext } from "./trial";

const KEYS = { short: 25, whole: 500 } satisfies Record<Size, number>;
const PARALLEL = 4;
/** How many keys are tried at once. */
const KEYS_AT_ONCE = 8;

type Try = Answer | undefined;

/** T13: any number of requests with the same key creates one schedule and returns one answer. */
export const idempotency: Trial = {
  id: "T13",
  guarantee: "500 Idempotency-Keys × 4 parallel requests, a crash and replays: 500 schedules, one answer each",
  async run(context, size) {
    const { product, log } = context;
    const person = await newPerson(product, `keys-${context.seed}@example.com`);
    const account = await connectAccount(product, person, "X_TWITTER", `keys${context.seed}`);
    const keys = Array.from({ length: KEYS[size] }, (_, index) => `key ${context.seed} ${index}`);
    const create = (key: string) => ask(product, person.headers, account, key);
    const askAtOnce = (key: string) => Promise.all(Array.from({ length: PARALLEL }, () => attempt(create(key))));

    const calm = keys.slice(0, Math.ceil(keys.length / 2));
    const first = await inTurn(calm, askAtOnce);
    log(`${calm.length} keys × ${PARALLEL} at once`);
    for (const [key, answers] of first) checkParallel(context, key, answers);

    const stormy = keys.slice(calm.length);
    let crashAfter = Math.floor(context.random() * stormy.length);
    const broken = await inTurn(stormy, (key) => {
      if (crashAfter-- === 0) void product.kill();
      return askAtOnce(key);
    });
    await product.restart();
    for (const [key, answers] of broken) checkStatuses(context, key, answers);
    const cut = broken.filter(([, answers]) => answers.some((answer) => !answer)).length;
    log(`${stormy.length} keys × ${PARALLEL} at once around a crash, which broke requests of ${cut} of them`);

    const replayed = await inTurn(keys, (key) => create(key));
    const known = new Map([...first, ...broken].map(([key, answers]) => [key, originalOf(answers)]));
    for (const [key, answer] of replayed) checkReplay(context, key, known.get(key), answer);
    const schedules = await countByContent(product, person.headers);
    for (const key of keys) {
      const count = schedules.get(key) ?? 0;
      if (count !== 1) context.fail(`${key}: ${count} schedules`);
    }
    return { keys: keys.length, requests: keys.length * (PARALLEL + 1), brokenByCrash: cut, schedules: schedules.size };
  },
};

function ask(product: OwnProduct, headers: Headers, account: number, key: string): Promise<Answer> {
  const posts = [{ content: key }];
  const publications = [{ socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts }];
  const body = { scheduledTime: "2090-01-01T00:00:00Z", publications };
  return sendJson(product.url, "POST", "/v1/posts", body, { ...headers, "idempotency-key": key });
}

/** The response, or undefined if the connection broke because the process died. */
function attempt(answer: Promise<Answer>): Promise<Try> {
  return answer.catch(() => undefined);
}

async function inTurn<T>(keys: string[], work: (key: string) => Promise<T>): Promise<[key: string, T][]> {
  const left = [...keys];
  const done: [string, T][] = [];
  const lane = async () => {
    for (let key = left.shift(); key !== undefined; key = left.shift()) done.push([key, await work(key)]);
  };
  await Promise.all(Array.from({ length: KEYS_AT_ONCE }, lane));
  return done;
}

const isReplay = ({ headers }: Answer) => headers["idempotency-replayed"] === "true";
const originalOf = (answers: Try[]) => answers.find((answer) => answer?.status === 201)?.text;

/** Of parallel requests exactly one does the work; the others get its answer or 409. */
function checkParallel(context: TrialContext, key: string, answers: Try[]): void {
  const came = answers.filter((answer) => answer !== undefined);
  if (came.length < answers.length) context.fail(`${key}: a request got no answer`);
  checkStatuses(context, key, answers);
  const made = came.filter((answer) => answer.status === 201);
  if (made.filter((answer) => !isReplay(answer)).length !== 1) context.fail(`${key}: not done exactly once`);
  if (new Set(made.map(({ text }) => text)).size !== 1) context.fail(`${key}: several answers`);
}

function checkStatuses(context: TrialContext, key: string, answers: Try[]): void {
  for (const answer of answers) {
    if (answer && answer.status !== 201 && answer.status !== 409) {
      context.fail(`${key}: answered ${answer.status} ${answer.text}`);
    }
  }
}

/** `original` is undefined if the crash lost every answer: then the replay may be the first to do the work. */
function checkReplay(context: TrialContext, key: string, original: string | undefined, answer: Answer): void {
  if (answer.status !== 201) context.fail(`${key}: the replay is ${answer.status} ${answer.text}`);
  if (answer.status !== 201 || original === undefined) return;
  if (!isReplay(answer)) context.fail(`${key}: the replay was done again`);
  if (answer.text !== original) context.fail(`${key}: another answer: ${original} → ${answer.text}`);
}

type Page = { items: { publications: { posts: { content: string }[] }[] }[]; nextCursor: string | null };

/** Counts the schedules by content, over all pages. */
async function countByContent(product: OwnProduct, headers: Headers): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let cursor = ""; ; ) {
    const target = `/v1/posts?limit=100${cursor && `&cursor=${cursor}`}`;
    const { items, nextCursor } = jsonOf<Page>(await send(product.url, target, { headers }));
    for (const { publications } of items) {
      const content = publications[0]?.posts[0]?.content ?? "";
      counts.set(content, (counts.get(content) ?? 0) + 1);
    }
    if (!nextCursor) return counts;
    cursor = nextCursor;
  }
}
