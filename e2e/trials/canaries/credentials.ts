import { type Answer, jsonOf, send, sendForm, sendJson } from "../http";
import { type Application, consent, newApplication, refresh } from "../people";
import type { Journey } from "./journey";

/** Completes a consent and uses all its tokens. */
export async function grantsOf(journey: Journey, cookie: string): Promise<Application> {
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

/** Sends secrets in wrong places: answers and logs must not repeat them. */
export async function mistakes(
  journey: Journey,
  { email, password, session, personal, application }: Held,
): Promise<void> {
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
