import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRemoteJWKSet, jwtVerify } from "jose";
import pg from "pg";

/**
 * The reference server that the API is compared with: bare `node:http`, jose, and one prepared statement that does the same
 * write on the same database. It checks only the token, and caches verified tokens unless its third argument is `always`.
 */
const [databaseUrl = "", baseUrl = "", verifies = "once"] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20, options: "-c timezone=UTC" });
const jwks = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`));
const verified = new Map<string, string>();

async function ownerOf(request: IncomingMessage): Promise<string> {
  const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const known = verified.get(token);
  if (known) return known;
  const { payload } = await jwtVerify(token, jwks, { issuer: baseUrl, audience: baseUrl, typ: "at+jwt" });
  if (verifies === "once") verified.set(token, payload.sub ?? "");
  return payload.sub ?? "";
}

const CREATE = `
  with schedule as (
    insert into schedules (owner_id, status, scheduled_time) values ($1::uuid, 'SCHEDULED', $2::timestamptz) returning id
  ), given as (
    select item, (ordinality - 1)::int as position from json_array_elements($3::json) with ordinality as given(item)
  ), parts as (
    insert into publications (schedule_id, account_id, position, settings)
    select schedule.id, (item ->> 'socialMediaAccountId')::bigint, position, (item -> 'platformSettings')::jsonb
    from schedule, given returning id, position
  ), texts as (
    insert into posts (publication_id, position, content, attachment_paths)
    select parts.id, 0, item -> 'posts' -> 0 ->> 'content', '{}' from parts join given using (position)
    returning id, publication_id
  ), kept as (
    insert into idempotency_keys (owner_id, route, key, body_hash, status, answer)
    select $1::uuid, 'POST /v1/posts', $4::text, $5::bytea, 201, json_build_object('id', id) from schedule
    where $4::text is not null
  ), jobs as (
    select graphile_worker.add_jobs(array_agg(('publication.publish', json_build_object('publicationId', id), null, $2::timestamptz,
      null, 'publication:' || id, null, null)::graphile_worker.job_spec)) from parts
  )
  select (select id from schedule) as id, (select count(*) from jobs) as jobs,
    (select json_agg(json_build_object('id', parts.id, 'post', texts.id) order by position)
     from parts join texts on texts.publication_id = parts.id) as parts`;

async function create(ownerId: string, request: IncomingMessage): Promise<unknown> {
  const body = JSON.parse(await bodyOf(request));
  const key = request.headers["idempotency-key"] ?? null;
  const values = [ownerId, body.scheduledTime, JSON.stringify(body.publications), key, key && Buffer.alloc(32)];
  const { rows } = await pool.query({ name: "create", text: CREATE, values });
  const { id, parts } = rows[0];
  const publications = parts.map((part: { id: number; post: number }, index: number) => {
    const { posts, ...given } = body.publications[index];
    const post = { id: part.post, content: posts[0].content, attachmentPaths: [], status: "PENDING" };
    return { id: part.id, ...given, status: "PENDING", posts: [post] };
  });
  return { id: Number(id), overallStatus: "SCHEDULED", scheduledTime: body.scheduledTime, publications };
}

const ACCOUNTS = `
  select id::int, platform, network_account_id as "accountId", username as "accountUsername",
    display_name as "accountDisplayName", avatar_url as "accountAvatarUrl",
    to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US') as "createdTime",
    to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US') as "updatedTime", state
  from accounts where owner_id = $1 and disconnected_at is null order by id`;

async function accounts(ownerId: string): Promise<unknown> {
  return (await pool.query({ name: "accounts", text: ACCOUNTS, values: [ownerId] })).rows;
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk)).on("error", reject);
    request.on("end", () => resolve(Buffer.concat(chunks).toString()));
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ownerId = await ownerOf(request);
  const isCreate = request.method === "POST";
  const text = JSON.stringify(isCreate ? await create(ownerId, request) : await accounts(ownerId));
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  response.writeHead(isCreate ? 201 : 200, headers).end(text);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
});
server.listen(0, () => {
  const address = server.address();
  console.log(`listening on ${typeof address === "object" ? address?.port : ""}`);
});
