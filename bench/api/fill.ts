import pg from "pg";
import type { OwnProduct } from "../../e2e/setup/product";

/** A user with two X accounts. */
export type BenchUser = { token: string; accountIds: number[] };

type Created = { id: string; email: string };
type Token = { access_token: string };

export async function createUser(product: OwnProduct, name: string): Promise<BenchUser & Created> {
  const email = `${name}@example.com`;
  const password = ["--password", "a long password"];
  const { id } = (await product.carillon("users", "create", "--email", email, ...password)) as Created;
  const accountIds: number[] = [];
  for (const person of [`${name}1`, `${name}2`]) {
    const options = ["--user", email, "--platform", "X_TWITTER", "--person", person];
    accountIds.push(((await product.carillon("accounts", "connect-sandbox", ...options)) as { id: number }).id);
  }
  const made = (await product.carillon("tokens", "create", "--user", email, "--ttl", "36000")) as Token;
  return { id, email, token: made.access_token, accountIds };
}

/** Inserts schedules with a publication on each X account, spread over the next year, with the same rows as a create. */
export async function fill(
  client: pg.Client,
  { id, accountIds }: { id: string; accountIds: number[] },
  schedules: number,
): Promise<void> {
  await client.query(
    `with made as (
       insert into schedules (owner_id, status, scheduled_time)
       select $1, case when n % 1000 = 0 then 'FAILED' else 'SCHEDULED' end, now() + interval '1 day' + n * interval '364 days' / $2::int
       from generate_series(1, $2::int) n returning id, status, scheduled_time
     ), parts as (
       insert into publications (schedule_id, account_id, platform, position, settings, due_at)
       select id, account, 'X_TWITTER', position - 1, '{"type": "TWITTER"}',
         case when status = 'SCHEDULED' then scheduled_time end
       from made, unnest($3::bigint[]) with ordinality as given(account, position) returning id
     )
     insert into posts (publication_id, owner_id, position, content, attachment_paths)
     select id, $1, 0, 'A post of the usual length, with a few words more, so that it weighs what posts weigh', '{}' from parts`,
    [id, schedules, accountIds],
  );
}

/** A create body: two publications with one post each, a month from now. */
export function bodyOf({ accountIds }: BenchUser): string {
  const scheduledTime = `${new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 19)}Z`;
  const publications = accountIds.map((id) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "TWITTER" },
    posts: [{ content: "A post of the usual length, with a few words more, so that it weighs what posts weigh" }],
  }));
  return JSON.stringify({ scheduledTime, publications });
}

export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // the database may stop before the client
  await client.connect();
  return client;
}
