import { randomBytes } from "node:crypto";
import { send, sendForm } from "../http";
import { cookiesOf } from "../people";
import type { Trial, TrialContext } from "../trial";
import { grantsOf, mistakes } from "./credentials";
import { dumpOf, filesOf } from "./dump";
import { Journey } from "./journey";
import { type Mirror, openMirror } from "./mirror";
import { bridge, echoes, posts } from "./networks";
import { hitsOf } from "./search";

/** T23: secrets appear nowhere they should not be, whatever goes wrong. */
export function canaries(): Trial {
  let mirror: Mirror | undefined;
  const secretsKey = randomBytes(32).toString("base64url");
  return {
    id: "T23",
    guarantee: "canary secrets: 0 hits in the database, files, logs, answers and the export",
    endsUp: false,
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
    async run(context, size) {
      if (!mirror) throw new Error("the mirror is not open");
      try {
        return await search(context, mirror, secretsKey, size === "short" ? 1 : 5);
      } finally {
        await mirror.close();
      }
    },
  };
}

async function search(context: TrialContext, mirror: Mirror, secretsKey: string, rounds: number) {
  const { product, log } = context;
  mirror.networks = product.sandboxUrl;
  const journey = new Journey(product, mirror);
  journey.secret("SECRETS_KEY", secretsKey);
  journey.secret("the networks' client secret", "sandbox-x-secret");
  journey.secret("the bot's token", "1000000001:sandbox-telegram-bot");
  for (let round = 0; round < rounds; round++) {
    await live(journey, `${context.seed}r${round}`);
    log(
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
  for (const hit of hitsOf(journey.canaries, traces)) context.fail(hit);
  const networkTokens = mirror.seen.size;
  if (networkTokens < 4 || mirror.echoed < echoes.length) context.fail("the mirror saw no secrets of the networks");
  const searchedMb = Number((traces.reduce((sum, { text }) => sum + text.length, 0) / 1_048_576).toFixed(2));
  return { canaries: journey.canaries.length, networkTokens, echoes: mirror.echoed, traces: traces.length, searchedMb };
}

/** Lets a person and a partner do everything, correctly and with mistakes. */
async function live(journey: Journey, tag: string): Promise<void> {
  const { product, mirror } = journey;
  const { url } = product;
  const email = `canary-${tag}@example.com`;
  const password = `Canary ${randomBytes(16).toString("hex")}`;
  journey.secret("the password", password);
  // Created by the operator, because the token below needs a confirmed address. Signing up with the right password signs in.
  await product.carillon("users", "create", "--email", email, "--password", password, "--name", "Canary");
  const cookie = cookiesOf(await sendForm(url, "/sign-up", { email, password, name: "Canary" }));
  const session = /next-auth\.session-token=([^;]+)/.exec(cookie)?.[1] ?? "";
  journey.secret("the session cookie", session);
  const personal = ((await product.carillon("tokens", "create", "--user", email)) as { access_token: string })
    .access_token;
  journey.secret("the personal token", personal);
  const headers = { authorization: `Bearer ${personal}` };

  const shown = await sendForm(url, "/settings/do/new-calendar-address", {}, { cookie });
  const [calendar, token] = /\/calendars\/([\w-]{43})\.ics/.exec(shown.text) ?? [];
  if (!calendar || !token) throw new Error(`no address of a calendar was created: ${shown.status}`);
  journey.secret("the token in the calendar's address", token);
  await journey.ask("the calendar", send(url, calendar));

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
