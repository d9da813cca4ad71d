import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Product } from "../../setup/product";
import { type Answer, type Headers, jsonOf, send, sendForm, sendJson } from "../http";
import {
  type Application,
  allowedCallback,
  connectAccount,
  consent,
  cookiesOf,
  newApplication,
  newPartner,
  refresh,
} from "../people";
import type { Field, Trial } from "../trial";
import { dumpOf, filesOf } from "./dump";
import { type Echo, type Mirror, openMirror } from "./mirror";
import { type Canary, hitsOf, type Trace } from "./search";

/** Refusals that hold all that was sent, in the shapes in which networks explain themselves. */
const echoes: Echo[] = [
  {
    status: 400,
    type: "application/json",
    body: (held) => JSON.stringify({ detail: held, title: held, description: held, ok: false, error_code: 400 }),
  },
  {
    status: 403,
    type: "application/problem+json",
    body: (held) => JSON.stringify({ detail: held, type: held, status: 403 }),
  },
  { status: 401, type: "application/json", body: (held) => JSON.stringify({ error: held, error_description: held }) },
  { status: 400, type: "application/json", body: (held) => JSON.stringify({ errors: [{ code: 1, message: held }] }) },
  { status: 500, type: "text/html", body: (held) => `<h1>${held}</h1>` },
  { status: 200, type: "application/json", body: (held) => JSON.stringify({ data: held, ok: true, result: held }) },
  { status: 200, type: "text/plain", body: (held) => held },
];

/** T23: a secret is where it has to be and nowhere else, whatever goes wrong around it. */
export function canaries(): Trial {
  let mirror: Mirror | undefined;
  const secretsKey = randomBytes(32).toString("base64url");
  return {
    id: "T23",
    promise: "canary secrets: 0 hits in the database, files, logs, answers and the export",
    async settings() {
      mirror = await openMirror();
      const { url } = mirror;
      return {
        SECRETS_KEY: secretsKey,
        LOG_LEVEL: "debug",
        X_API_URL: `${url}/x`,
        TELEGRAM_API_URL: `${url}/telegram`,
      };
    },
    async run(field, size) {
      if (!mirror) throw new Error("the mirror is not open");
      try {
        return await search(field, mirror, secretsKey, size === "short" ? 1 : 5);
      } finally {
        await mirror.close();
      }
    },
  };
}

async function search(field: Field, mirror: Mirror, secretsKey: string, rounds: number) {
  const { product, say } = field;
  mirror.networks = product.sandboxUrl;
  const journey = new Journey(product, mirror);
  journey.secret("SECRETS_KEY", secretsKey);
  journey.secret("the networks' client secret", "sandbox-x-secret");
  journey.secret("the bot's token", "1000000001:sandbox-telegram-bot");
  for (let round = 0; round < rounds; round++) {
    await live(journey, `${field.seed}r${round}`);
    say(
      `round ${round + 1}: ${journey.canaries.length} secrets, ${journey.traces.length} answers, ${mirror.echoed} echoes`,
    );
  }
  for (const [secret, name] of mirror.seen) journey.secret(name, secret);
  await product.stopWeb();
  const traces = [
    ...journey.traces,
    { where: "the log", text: product.output() },
    ...(await dumpOf(product.dataDir)),
    ...(await filesOf(product.dataDir)),
  ];
  for (const hit of hitsOf(journey.canaries, traces)) field.breach(hit);
  const networkTokens = mirror.seen.size;
  if (networkTokens < 4 || mirror.echoed < echoes.length) field.breach("the networks' secrets did not go by");
  const searchedMb = Number((traces.reduce((sum, { text }) => sum + text.length, 0) / 1_048_576).toFixed(2));
  return { canaries: journey.canaries.length, networkTokens, echoes: mirror.echoed, traces: traces.length, searchedMb };
}

/** What was handed over and has to stay secret, and every answer in which it should not be. */
class Journey {
  readonly canaries: Canary[] = [];
  readonly traces: Trace[] = [];
  constructor(
    readonly product: Product,
    readonly mirror: Mirror,
  ) {}

  secret(name: string, secret: string): void {
    this.canaries.push({ name, secret });
  }

  /** Keeps an answer that may hold no secret. */
  async ask(what: string, answer: Promise<Answer>): Promise<Answer> {
    const came = await answer;
    this.traces.push({ where: `the answer to ${what}`, text: `${JSON.stringify(came.headers)}\n${came.text}` });
    return came;
  }
}

/** A person and a partner with everything that they do, right and wrong. */
async function live(journey: Journey, tag: string): Promise<void> {
  const { product, mirror } = journey;
  const { url } = product;
  const email = `canary-${tag}@example.com`;
  const password = `Canary ${randomBytes(16).toString("hex")}`;
  journey.secret("the password", password);
  const cookie = cookiesOf(await sendForm(url, "/sign-up", { email, password, name: "Canary" }));
  const session = /next-auth\.session-token=([^;]+)/.exec(cookie)?.[1] ?? "";
  journey.secret("the session cookie", session);
  const personal = ((await product.carillon("tokens", "create", "--user", email)) as { access_token: string })
    .access_token;
  journey.secret("the personal token", personal);
  const headers = { authorization: `Bearer ${personal}` };

  const application = await grantsOf(journey, cookie);
  await mistakes(journey, { email, password, session, personal, application });
  await posts(journey, email, headers, tag);
  await bridge(journey, tag);
  for (const path of ["/v1/me", "/v1/me/export", "/v1/accounts", "/v1/posts?limit=100", "/v1/media"]) {
    await journey.ask(path, send(url, path, { headers }));
  }
  for (const path of ["/accounts", "/posts", "/compose", "/"]) {
    await journey.ask(`the page ${path}`, send(url, path, { headers: { cookie } }));
  }
  mirror.echo = undefined;
}

async function grantsOf(journey: Journey, cookie: string): Promise<Application> {
  const { product } = journey;
  const application = await newApplication(product);
  journey.secret("the application's secret", application.clientSecret);
  const { code, tokens } = await consent(product, application, cookie);
  journey.secret("the authorization code", code);
  journey.secret("the access token", tokens.access_token);
  journey.secret("the access token's signature", tokens.access_token.split(".")[2] ?? "");
  journey.secret("the refresh token", tokens.refresh_token);
  const next = jsonOf<{ refresh_token: string }>(await refresh(product, application, tokens.refresh_token));
  journey.secret("the next refresh token", next.refresh_token);
  await journey.ask("a spent refresh token", refresh(product, application, tokens.refresh_token));
  return application;
}

type Held = { email: string; password: string; session: string; personal: string; application: Application };

/** Secrets in the wrong place: what is said and logged of it must not repeat them. */
async function mistakes(journey: Journey, { email, password, session, personal, application }: Held): Promise<void> {
  const { url } = journey.product;
  const { clientId, clientSecret } = application;
  const query = new URLSearchParams({ access_token: personal, client_secret: clientSecret, password });
  const tries: [string, Promise<Answer>][] = [
    ["a token in the query", send(url, `/v1/posts?${query}`)],
    ["secrets in the token endpoint's query", sendJson(url, "POST", `/oauth/token?${query}`, {})],
    ["secrets in the authorize address", send(url, `/authorize?${query}&client_id=${clientId}`)],
    ["a secret as bearer", send(url, "/v1/posts", { headers: { authorization: `Bearer ${clientSecret}` } })],
    ["a session as bearer", send(url, "/v1/posts", { headers: { authorization: `Bearer ${session}` } })],
    ["a token that is cut", send(url, "/v1/posts", { headers: { authorization: `Basic ${personal}` } })],
    [
      "an unknown grant",
      sendJson(url, "POST", "/oauth/token", { grant_type: "password", password, client_secret: clientSecret }),
    ],
    [
      "a foreign client",
      sendJson(url, "POST", "/oauth/token", {
        grant_type: "client_credentials",
        client_id: "x",
        client_secret: clientSecret,
      }),
    ],
    [
      "broken JSON",
      send(url, "/oauth/token", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: `{"client_secret":"${clientSecret}"`,
      }),
    ],
    ["a wrong sign-in", sendForm(url, "/sign-in", { email: `${email}.x`, password })],
    ["signing up again", sendForm(url, "/sign-up", { email, password })],
    [
      "a body with secrets",
      sendJson(
        url,
        "POST",
        "/v1/posts",
        { password, publications: [{ access_token: personal }] },
        { authorization: `Bearer ${personal}` },
      ),
    ],
  ];
  for (const [what, answer] of tries) await journey.ask(what, answer);
}

/** Posts that go out, and posts whose networks answer with everything that they were sent. */
async function posts(journey: Journey, email: string, headers: Headers, tag: string): Promise<void> {
  const { product, mirror } = journey;
  const person = { email, headers };
  const x = await connectAccount(product, person, "X_TWITTER", `x${tag}`);
  const telegram = await connectAccount(product, person, "TELEGRAM", `t${tag}`);
  const chats = await send(product.url, `/v1/accounts/${telegram}/chats?platform=TELEGRAM`, { headers });
  const chatId = jsonOf<{ id: string }[]>(chats)[0]?.id;
  const publications = [
    { socialMediaAccountId: x, platformSettings: { type: "TWITTER" }, posts: [{ content: `To X ${tag}` }] },
    {
      socialMediaAccountId: telegram,
      platformSettings: { type: "TELEGRAM" },
      posts: [{ content: "To Telegram", chatId }],
    },
  ];
  for (const echo of [undefined, ...echoes]) {
    mirror.echo = echo;
    const body = { scheduledTime: new Date().toISOString(), publications };
    const created = await journey.ask("POST /v1/posts", sendJson(product.url, "POST", "/v1/posts", body, headers));
    if (created.status !== 201) break; // an account that has to be connected again takes no more posts
    await settled(journey, jsonOf<{ id: number }>(created).id, headers);
  }
}

/** Waits for the end of a schedule; one that goes on trying is left to it. */
async function settled(journey: Journey, id: number, headers: Headers): Promise<void> {
  const patienceUntil = performance.now() + 8000;
  for (;;) {
    const seen = await journey.ask("GET /v1/posts/{id}", send(journey.product.url, `/v1/posts/${id}`, { headers }));
    const { overallStatus } = jsonOf<{ overallStatus: string }>(seen);
    if (/COMPLETED|FAILED/.test(overallStatus) || performance.now() > patienceUntil) return;
    await sleep(100);
  }
}

/** A partner's user connects by the hosted bridge: once well, then while the network echoes its codes and secrets. */
async function bridge(journey: Journey, tag: string): Promise<void> {
  const { product, mirror } = journey;
  const partner = await newPartner(product);
  journey.secret("the partner's secret", partner.clientSecret);
  journey.secret("the partner's token", partner.headers.authorization?.slice("Bearer ".length) ?? "");
  const provision = sendJson(
    product.url,
    "POST",
    "/v1/connect/users",
    { externalUserId: tag, name: "U" },
    partner.headers,
  );
  const { uuid } = jsonOf<{ uuid: string }>(await provision);
  const asked = { platform: "X_TWITTER", redirectUri: "https://partner.example/done" };
  const identity = { ...partner.headers, "x-api-key": partner.clientId, "x-connect-user-id": uuid };
  for (const [index, echo] of [undefined, ...echoes].entries()) {
    mirror.echo = undefined;
    const link = await sendJson(product.url, "POST", "/v1/connect/authorize-url", asked, identity);
    const { query, headers } = await allowedCallback(product, new URL(jsonOf<string>(link)), `b${index}${tag}`);
    journey.secret("the network's code", new URLSearchParams(query).get("code") ?? "");
    mirror.echo = echo;
    await journey.ask("the callback", send(product.url, `/oauth/connect/callback/x?${query}`, { headers }));
  }
  mirror.echo = undefined;
  await journey.ask(
    "the partner's user",
    send(product.url, "/v1/me/export", { headers: { ...partner.headers, "x-connect-user-id": uuid } }),
  );
}
