import { setTimeout as sleep } from "node:timers/promises";
import { jsonOf, send, sendJson } from "./http";
import {
  type Application,
  consent,
  exchange,
  newApplication,
  newPartner,
  newPerson,
  partnerToken,
  refresh,
  signIn,
} from "./people";
import type { Size, Trial, TrialContext } from "./trial";

const SECONDS = { short: 1, whole: 180 } satisfies Record<Size, number>;
const LANES = 4;
const ROTATE_EVERY_MS = { short: 500, whole: 5000 } satisfies Record<Size, number>;
/** How soon a revocation must take effect in every process (A14). */
const ACTS_WITHIN_MS = 1000;

/**
 * T19, the part of the rules A1 to A14 that needs a running product under load: keys are rotated, and consents are given,
 * refreshed, used twice and revoked at the same time. docs/trials.md lists which test verifies which rule.
 */
export const authorization: Trial = {
  id: "T19",
  guarantee: "keys rotated and consents revoked under load for minutes: no failure, each takes effect within a second",
  async run(context, size) {
    const { product, log } = context;
    const person = await newPerson(product, `grants-${context.seed}@example.com`);
    const cookie = await signIn(product, person.email);
    const partner = await newPartner(product);
    const application = await newApplication(product);
    const until = performance.now() + SECONDS[size] * 1000;
    // A slow machine gets the time that it needs for two rotations, so that requests run between them, and for two revocations.
    const running = () => performance.now() < until || counts.rotations < 2 || counts.revoked < 2;
    const counts = { tokens: 0, rotations: 0, revoked: 0, doubleCodes: 0, spentTokens: 0, slowestMs: 0 };

    const lanes: (() => Promise<void>)[] = [
      ...Array.from({ length: LANES }, () => async () => {
        const { access_token } = jsonOf<{ access_token: string }>(await partnerToken(product, partner));
        await mustSay(context, access_token, 400, "a fresh partner's token"); // It is valid but names no user, so the API asks for an identity header.
        counts.tokens++;
      }),
      async () => {
        await product.carillon("keys", "rotate");
        counts.rotations++;
        await sleep(ROTATE_EVERY_MS[size]);
      },
      async () => {
        const took = await revoked(context, application, cookie);
        counts.revoked++;
        counts.slowestMs = Math.max(counts.slowestMs, took);
      },
      async () => {
        await usedTwice(context, application, cookie);
        counts.doubleCodes++;
      },
      async () => {
        await spent(context, application, cookie);
        counts.spentTokens++;
      },
      () => mustSay(context, person.headers.authorization?.slice("Bearer ".length) ?? "", 200, "a token from before"),
    ];
    await Promise.all(
      lanes.map(async (lane) => {
        while (running()) await lane().catch((error) => context.fail(String(error)));
      }),
    );
    log(JSON.stringify(counts));
    return counts;
  },
};

async function statusOf({ product }: TrialContext, token: string): Promise<number> {
  return (await send(product.url, "/v1/posts", { headers: { authorization: `Bearer ${token}` } })).status;
}

async function mustSay(context: TrialContext, token: string, status: number, what: string): Promise<void> {
  const said = await statusOf(context, token);
  if (said !== status) context.fail(`${what} returns ${said} instead of ${status}`);
}

/** A14: revokes a consent and returns after how many milliseconds its token was refused. */
async function revoked(context: TrialContext, application: Application, cookie: string): Promise<number> {
  const { tokens } = await consent(context.product, application, cookie);
  await mustSay(context, tokens.access_token, 200, "a consent's token");
  const { clientId: client_id, clientSecret: client_secret } = application;
  const body = { client_id, client_secret, token: tokens.refresh_token };
  const answer = await sendJson(context.product.url, "POST", "/oauth/revoke", body);
  if (answer.status !== 200) context.fail(`revoking returned ${answer.status} ${answer.text}`);
  return untilRefused(context, tokens.access_token, "a revoked consent's token");
}

/** A3: the second use of a code is refused and revokes the tokens of the first. */
async function usedTwice(context: TrialContext, application: Application, cookie: string): Promise<void> {
  const { code, tokens } = await consent(context.product, application, cookie);
  const again = await exchange(context.product, application, code);
  if (again.status !== 400) context.fail(`the second use of a code returned ${again.status}`);
  await untilRefused(context, tokens.access_token, "the token of a code that was used twice");
}

/** A5: of several refreshes with one token at most one succeeds, and using a spent token revokes the family. */
async function spent(context: TrialContext, application: Application, cookie: string): Promise<void> {
  const { tokens } = await consent(context.product, application, cookie);
  const answers = await Promise.all([1, 2, 3].map(() => refresh(context.product, application, tokens.refresh_token)));
  const statuses = answers.map(({ status }) => status).sort();
  if (statuses.filter((status) => status === 200).length > 1) context.fail(`one refresh token worked twice`);
  if (statuses.some((status) => status !== 200 && status !== 400)) context.fail(`refreshing returned ${statuses}`);
  await untilRefused(context, tokens.access_token, "the access token of a family whose token was used twice");
}

async function untilRefused(context: TrialContext, token: string, what: string): Promise<number> {
  const since = performance.now();
  while ((await statusOf(context, token)) !== 401) {
    if (performance.now() - since > ACTS_WITHIN_MS) {
      context.fail(`${what} still works after a second`);
      break;
    }
    await sleep(10);
  }
  return Math.round(performance.now() - since);
}
