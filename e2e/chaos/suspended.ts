import sharp from "sharp";
import { serveFiles } from "../../lib/http/testing/file-server";
import { type MailServer, startMailServer } from "../../lib/mail/testing/smtp";
import { platforms, platformValues } from "../../lib/platforms";
import { ownPort } from "../../lib/testing/own-port";
import { jsonOf, send, sendJson } from "../trials/http";
import type { Trial, TrialContext } from "../trials/trial";
import { invariants } from "./invariants";
import { countOf, onDatabase } from "./on-database";
import { type Receivers, startReceivers } from "./receivers";
import { ledger, type Person, pause, peopleOf, type Sent, scheduleAll, textsOf } from "./rig";

/** One more than the places that a process has for a network. As many are suspended, and as many are being deleted. */
const OWNERS = 65;
/** How late something of an active owner may be on a machine with time to spare. The slowest network processes a video first. */
const LATE_SECONDS = 10;
/** On a busy machine: as late as this many times what the same work takes while no work of other owners is overdue. */
const TIMES_AS_LATE = 2;
const LEAD_MS = 3_000;
/** TikTok takes six posts of an account in a minute. More would be late for that reason. */
const POSTS_PER_ACCOUNT = 5;

/** Where the product sends webhooks and mails, and from where it imports files. */
type Outside = { receivers: Receivers; mails: MailServer; files: Awaited<ReturnType<typeof serveFiles>> };
let outside: Outside | undefined;

/**
 * T27: work of owners who are not served is overdue, and the work of active owners is on time. Each queue of the product is
 * covered: publications on every network, webhook deliveries, imports and mails. Media have no queue of their own: they are
 * processed in requests, which these owners may not make, in imports and in publications.
 */
export const suspended: Trial = {
  id: "T27",
  guarantee:
    "overdue posts, webhooks, imports and mails of 65 suspended and 65 deleting owners: none goes out, and none delays an active owner",
  async settings() {
    const [forHooks, forFiles] = [await ownPort(), await ownPort()];
    const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: "#8040c0" } })
      .png()
      .toBuffer();
    outside = {
      receivers: await startReceivers(forHooks),
      files: await serveFiles((_, response) => response.end(picture), forFiles),
      mails: await startMailServer(),
    };
    const allowed = [forHooks, forFiles].map((port) => `127.0.0.1+127.0.0.1+${port}`);
    return { EGRESS_ALLOW: allowed.join(), SMTP_URL: outside.mails.url };
  },
  async run(context, size) {
    if (!outside) throw new Error("the trial's settings were not read");
    const { product, log, fail } = context;
    const each = size === "short" ? 1 : 20;
    try {
      const { late: alone } = await lateWork(context, outside, "alone", each);
      log(`without overdue work of others, in seconds: ${JSON.stringify(alone)}`);
      await onDatabase(product, overdue(outside));
      log(`${2 * OWNERS} owners who are not served have overdue work on ${platformValues.length} networks`);
      const { late, counts } = await lateWork(context, outside, "active", each);
      for (const [what, seconds] of Object.entries(late)) {
        if (seconds > Math.max(LATE_SECONDS, TIMES_AS_LATE * (alone[what] ?? 0)))
          fail(`${what}: the work of an active owner was ${seconds} s late, and ${alone[what]} s without the others`);
      }
      await nothingForTheOthers(context, outside);
      return { owners: 2 * OWNERS, aloneSeconds: alone, lateSeconds: late, ...counts };
    } finally {
      await Promise.all([outside.receivers.close(), outside.files.close(), outside.mails.stop()]);
    }
  },
};

/** How late each kind of work and the last post on each network was, in seconds. */
type Late = { [what: string]: number };

/**
 * Work of new active owners: webhooks, an import and mails, then posts on every network.
 * @param name begins the texts of the posts
 */
async function lateWork(context: TrialContext, outside: Outside, name: string, each: number) {
  const { product, seed } = context;
  const people = await peopleOf(
    product,
    platformValues.map((platform) => ({ platform, accounts: Math.ceil(each / POSTS_PER_ACCOUNT) })),
  );
  const queues = await latenessOfQueues(context, outside, people, name, each);
  const at = new Date(Date.now() + LEAD_MS);
  const scheduling = people.map((one) => scheduleAll(product, one, textsOf(name, seed, each), at));
  const sent = (await Promise.all(scheduling)).flat();
  const counts = await invariants(context, sent, 120);
  const late: Late = { ...queues, ...(await latenessOfPosts(context, sent)) };
  return { late, counts };
}

/** A webhook, an import and mails of an active owner. */
async function latenessOfQueues(
  context: TrialContext,
  { receivers, files, mails }: Outside,
  people: Person[],
  name: string,
  count: number,
): Promise<Late> {
  const { product, seed } = context;
  const [person] = people;
  if (!person) throw new Error("no people were created");
  const headers = { authorization: `Bearer ${person.token}` };
  const ask = async <T>(path: string, body: object) =>
    jsonOf<T>(await sendJson(product.url, "POST", path, body, headers));
  const { secret } = await ask<{ secret: string }>("/v1/webhooks", {
    url: receivers.urlOf(`/good/${name}`),
    events: ["publication.published"],
  });
  const inbox = receivers.open(`/good/${name}`, secret);
  const { id } = await ask<{ id: number }>("/v1/media/upload/import", { url: `${files.url}/${name}.png` });
  const state = async () =>
    jsonOf<{ state: string }>(await send(product.url, `/v1/media/upload/import/${id}`, { headers })).state;
  const sent = await scheduleAll(product, person, textsOf(`${name} told`, seed, count), new Date());
  const seconds: Late = {};
  const done: { [what: string]: () => Promise<boolean> } = {
    webhooks: async () => inbox.worked.length >= sent.length,
    import: async () => (await state()) === "READY",
    mails: async () => mails.received.filter(({ subject }) => subject.includes(`${name} told`)).length >= sent.length,
  };
  const since = performance.now();
  await Promise.all(
    Object.entries(done).map(async ([what, isDone]) => {
      while (!(await isDone()) && performance.now() - since < 60_000) await pause(100);
      seconds[what] = Math.round((performance.now() - since) / 100) / 10;
    }),
  );
  await invariants(context, sent, 60);
  return seconds;
}

/** How many seconds after its time the last of these posts was on each network. */
async function latenessOfPosts({ product }: TrialContext, sent: Sent[]): Promise<Late> {
  const lateness: Late = {};
  for (const network of Object.values(platforms)) {
    const wanted = sent.filter((one) => one.network === network);
    const live = await ledger(product, network);
    const late = wanted.map(({ text, at }) => {
      const post = live.find((one) => one.text.includes(text));
      return post ? (Date.parse(post.receivedTime) - at) / 1000 : Number.POSITIVE_INFINITY;
    });
    lateness[network] = Math.round(Math.max(...late) * 10) / 10;
  }
  return lateness;
}

/** Nothing was done for the owners who are not served: each row is as it was, and their mails are dropped. */
async function nothingForTheOthers({ product, fail }: TrialContext, { files, mails }: Outside) {
  for (const network of Object.values(platforms)) {
    if ((await ledger(product, network)).some(({ text }) => text === IDLE_TEXT))
      fail(`one of their posts is on ${network}`);
  }
  if (files.asked.some(({ path }) => path === IDLE_FILE)) fail("a file was imported for one of them");
  if (mails.received.some(({ to }) => to.some((one) => one.startsWith("idle")))) fail("a mail was sent to one of them");
  for (const [table, count] of Object.entries(OVERDUE)) {
    const untouched = `select count(*) from ${table} where claim_fence = 0 and due_at < now() - interval '50 minutes'`;
    const left = await countOf(product, untouched);
    if (left !== count) fail(`${count - left} of ${count} rows of ${table} were claimed for one of them`);
  }
}

const IDLE_TEXT = "Of an owner who is not served";
const IDLE_FILE = "/idle.png";
/** How many overdue rows there are of each table. */
const OVERDUE = {
  publications: 2 * OWNERS * platformValues.length,
  webhook_deliveries: 2 * OWNERS * 3,
  media_imports: 2 * OWNERS * 3,
};

/** For each of these owners: an overdue post on every network, three webhook deliveries, three imports and a mail. */
const overdue = ({ receivers, files }: Outside) => `
  create temporary table idle as select gen_random_uuid() as id, n from generate_series(1, ${2 * OWNERS}) n;
  insert into users (id, email, name, email_confirmed_at, suspended_at, deleting_at)
    select id, 'idle' || n || '@example.com', 'idle', now(), case when n <= ${OWNERS} then now() end,
      case when n > ${OWNERS} then now() end from idle;
  insert into accounts (owner_id, platform, network_account_id, username, display_name)
    select idle.id, platform, gen_random_uuid(), 'idle', 'idle'
    from idle, unnest(array['${platformValues.join("','")}']) platform;
  insert into schedules (owner_id, status, scheduled_time) select id, 'SCHEDULED', now() - interval '1 hour' from idle;
  insert into publications (schedule_id, account_id, platform, position, settings, due_at)
    select s.id, a.id, a.platform, 0, jsonb_build_object('type', a.platform), now() - interval '1 hour'
    from idle join schedules s on s.owner_id = idle.id join accounts a on a.owner_id = idle.id;
  insert into posts (publication_id, owner_id, position, content, attachment_paths)
    select p.id, idle.id, 0, '${IDLE_TEXT}', '{}'
    from idle join schedules s on s.owner_id = idle.id join publications p on p.schedule_id = s.id;
  insert into webhook_endpoints (owner_id, url, events, secret_sealed, allowance)
    select id, '${receivers.urlOf("/good/idle")}', '{}', '', 64 from idle;
  insert into webhook_deliveries (endpoint_id, due_at)
    select w.id, now() - interval '1 hour' from idle join webhook_endpoints w on w.owner_id = idle.id, generate_series(1, 3);
  insert into media_imports (owner_id, source_url, due_at)
    select id, '${files.url}${IDLE_FILE}', now() - interval '1 hour' from idle, generate_series(1, 3);
  select graphile_worker.add_job('media.import', json_build_object('importId', i.id), job_key := 'import:' || i.id)
    from idle join media_imports i on i.owner_id = idle.id;
  insert into mails (owner_id, kind, key, facts)
    select id, 'alreadyRegistered', 'idle' || n, '{}' from idle;
  select graphile_worker.add_job('mail.send', json_build_object('mailId', m.id), job_key := 'mail.send:' || m.id)
    from idle join mails m on m.owner_id = idle.id`;
