import { setTimeout as sleep } from "node:timers/promises";
import { type Headers, jsonOf, send, sendJson } from "../http";
import { allowedCallback, connectAccount, newPartner } from "../people";
import type { Journey } from "./journey";
import type { Echo } from "./mirror";

/** Error responses that repeat everything that was sent, in the shapes that networks use. */
export const echoes: Echo[] = [
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
  { status: 400, type: "application/json", body: (held) => JSON.stringify({ errors: [{ code: 1, message: held }] }) },
  { status: 500, type: "text/html", body: (held) => `<h1>${held}</h1>` },
  { status: 200, type: "application/json", body: (held) => JSON.stringify({ data: held, ok: true, result: held }) },
  { status: 200, type: "text/plain", body: (held) => held },
  // Must be last: it makes the account require a reconnect.
  { status: 401, type: "application/json", body: (held) => JSON.stringify({ error: held, error_description: held }) },
];

/** Publishes posts, some to networks that answer with everything that they received. */
export async function posts(journey: Journey, email: string, headers: Headers, tag: string): Promise<void> {
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
    if (created.status !== 201) break; // An account that must be reconnected accepts no posts.
    await settled(journey, jsonOf<{ id: number }>(created).id, headers);
  }
}

/** Waits until a schedule has ended, for a limited time: it may still be retrying. */
async function settled(journey: Journey, id: number, headers: Headers): Promise<void> {
  const patienceUntil = performance.now() + 8000;
  for (;;) {
    const seen = await journey.ask("GET /v1/posts/{id}", send(journey.product.url, `/v1/posts/${id}`, { headers }));
    const { overallStatus } = jsonOf<{ overallStatus: string }>(seen);
    if (/COMPLETED|FAILED/.test(overallStatus) || performance.now() > patienceUntil) return;
    await sleep(100);
  }
}

/** Connects a partner's user through the bridge: once normally, then while the network echoes its codes and secrets. */
export async function bridge(journey: Journey, tag: string): Promise<void> {
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
