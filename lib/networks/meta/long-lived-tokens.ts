import { z } from "zod";
import { PlatformError } from "../errors";
import type { App, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { expiryAfter, query } from "../wire/query";

const DAY = 86_400;
const LIFE_SECONDS = 60 * DAY;

const schema = z.object({ access_token: z.string(), expires_in: z.number().optional() });

/**
 * Exchanges and refreshes the 60-day tokens that Instagram and Threads give in return for one-hour tokens
 * (…/instagram-api-with-instagram-login, …/threads/get-started/long-lived-tokens). Their grant types start with `prefix`.
 */
export function longLivedTokens(network: string, prefix: "ig" | "th") {
  async function ask(app: App, path: string, parameters: { [name: string]: string }): Promise<Tokens> {
    const answer = await readAnswer(network, schema, await app.fetch(`${path}?${query(parameters)}`));
    return { accessToken: answer.access_token, expiresAt: expiryAfter(answer.expires_in ?? LIFE_SECONDS) };
  }

  return {
    exchange(app: App, shortLived: string): Promise<Tokens> {
      const parameters = { client_secret: app.clientSecret, access_token: shortLived };
      return ask(app, "/access_token", { grant_type: `${prefix}_exchange_token`, ...parameters });
    },
    /** A token refreshes itself if it is at least a day old and not expired. Refreshed at about day 48 of 60. */
    refresh: {
      beforeSeconds: 12 * DAY,
      isReusable: true as const,
      async run(app: App, tokens: Tokens): Promise<Tokens> {
        if (tokens.expiresAt && Date.parse(tokens.expiresAt) < Date.now()) {
          const says = `This account's permission at ${network} has expired. Reconnect the account`;
          throw new PlatformError("reconnect", says);
        }
        const parameters = { grant_type: `${prefix}_refresh_token`, access_token: tokens.accessToken };
        return { ...tokens, ...(await ask(app, "/refresh_access_token", parameters)) };
      },
    },
  };
}
