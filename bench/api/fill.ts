import pg from "pg";
import type { OwnProduct } from "../../e2e/setup/product";

/** A user with two X accounts. */
export type BenchUser = { token: string; accountIds: number[] };

type Created = { id: string };
type Token = { access_token: string };

export async function createUser(product: OwnProduct, name: string): Promise<BenchUser & Created> {
  const email = `${name}@example.com`;
  const { id } = (await product.carillon(
    "users",
    "create",
    "--email",
    email,
    "--password",
    "a long password",
  )) as Created;
  const accountIds: number[] = [];
  for (const person of [`${name}1`, `${name}2`]) {
    const options = ["--user", email, "--platform", "X_TWITTER", "--person", person];
    accountIds.push(((await product.carillon("accounts", "connect-sandbox", ...options)) as { id: number }).id);
  }
  const { access_token: token } = (await product.carillon(
    "tokens",
    "create",
    "--user",
    email,
    "--ttl",
    "36000",
  )) as Token;
  return { id, token, accountIds };
}

/** Inserts schedules with two publications each, spread over the next year. */
export async function fill(
  client: pg.Client,
  { id, accountIds }: BenchUser & Created,
  schedules: number,
): Promise<void> {
  await client.query(
    `with made as (
       insert into schedules (owner_id, status, scheduled_time)
       select $1, case when n % 1000 = 0 then 'FAILED' else 'SCHEDULED' end, now() + n * interval '365 days' / $2::int
       from generate_series(1, $2::int) n returning id
     ), parts as (
       insert into publications (schedule_id, account_id, position, settings)
       select id, account, position - 1, '{"type": "TWITTER"}'
       from made, unnest($3::bigint[]) with ordinality as given(account, position) returning id
     )
     insert into posts (publication_id, position, content, attachment_paths)
     select id, 0, 'A post of the usual length, with a few words more, so that it weighs what posts weigh', '{}' from parts`,
    [id, schedules, accountIds],
  );
}

export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // the database may stop before the client
  await client.connect();
  return client;
}
