import { readdirSync, readFileSync } from "node:fs";
import { isApiPath, publicEndpoints } from "../../../lib/api/app";
import { networkNames } from "../../../lib/platforms";
import type { OwnProduct } from "../../setup/product";
import type { Door } from "../../trials/fuzz/doors";
import type { Headers } from "../../trials/http";
import { newPerson, signIn } from "../../trials/people";

type Example = Awaited<ReturnType<Door["example"]>>;

/** The fields of each form outside of the API. The words of the fields are right in form, but no attempt succeeds. */
const forms: { [path: string]: Headers } = {
  "/sign-in": { email: "nobody@example.com", password: "wrong", callbackUrl: "/" },
  "/sign-in/code": { code: "000000", callbackUrl: "/" },
  "/sign-in/passkey": { ticket: "x", credential: "{}", callbackUrl: "/", step: "second" },
  "/sign-in/again": { password: "wrong", callbackUrl: "/" },
  "/sign-up": { name: "Right", email: "not an address", password: "a long password", callbackUrl: "/" },
  "/forgot-password": { email: "not an address" },
  "/reset-password": { token: "x", password: "a long password" },
  "/confirm-email": { token: "x" },
  "/confirm-email/again": { wish: "again" },
  "/sign-out": { x: "x" },
  "/accounts/name": { platform: "BLUE_SKY", account: "a", ticket: "x" },
  "/accounts/password": { platform: "BLUE_SKY", account: "a", password: "x", ticket: "x" },
  "/oauth/connect/start": { token: "x", ticket: "x", state: "x" },
  "/oauth/connect/new": { platform: "x", account: "a", window: "popup" },
  "/console/new": { name: "" },
  "/console/x/do/settings": { interstitial: "on" },
  "/developers/do/create-token": { name: "", scopes: "x" },
  "/developers/do/create-application": { name: "", redirectUris: "x" },
  "/settings/password": { current: "wrong", password: "a long password" },
  "/settings/authenticator": { ticket: "x", code: "000000" },
  "/settings/passkeys": { ticket: "x", credential: "{}", name: "Right" },
  "/settings/do/remove-passkey": { passkey: "x", name: "Right" },
  "/settings/do/rename-passkey": { passkey: "x", name: "Right" },
  "/settings/do/delete-account": { email: "x" },
  "/settings/sessions": { session: "x" },
  "/settings/applications/revoke": { client: "x" },
  "/unsubscribe": { wish: "again" },
  "/staff/share": { schedule: "1", days: "7" },
  "/api/auth/callback/credentials": { email: "nobody@example.com", password: "wrong", csrfToken: "x" },
  "/oauth/token": {
    grant_type: "authorization_code",
    client_id: "x",
    client_secret: "x",
    code: "x",
    redirect_uri: "x",
  },
  "/oauth/revoke": { token: "x", client_id: "x", client_secret: "x" },
};

/** Parameters that lead further into a page. A page without an entry gets only an unknown parameter. */
const queries: { [path: string]: string } = {
  "/": "from=2030-01-01",
  "/accounts": "platform=x&error=x&connected=x",
  "/accounts/connected": "state=x&error=x",
  "/accounts/name": "platform=BLUE_SKY&account=x",
  "/authorize": "client_id=x&redirect_uri=x&scope=x&state=x&code_challenge=x",
  "/calendar": "from=2030-01-01&view=month",
  "/compose": "id=1&text=x&at=x",
  "/confirm-email": "token=x",
  "/library": "text=x&cursor=x",
  "/oauth/connect": "state=x&ui_locales=x",
  "/posts": "text=x&cursor=x&status=x",
  "/posts/duplicates": "cursor=x",
  "/previews": "link=x",
  "/previews/shown": "link=x",
  "/reset-password": "token=x",
  "/reviews": "link=x",
  "/reviews/shown": "link=x",
  "/settings": "problem=x",
  "/settings/applications": "revoked=x",
  "/sign-in": "callbackUrl=x&error=x",
  "/sign-in/again": "callbackUrl=x",
  "/sign-up": "callbackUrl=x",
  "/sign-in/code": "callbackUrl=x",
  "/sign-in/passkey": "callbackUrl=x&step=x",
  "/unsubscribe": "s=x",
  "/webhooks/events": "cursor=x&type=x",
};

const callbackQuery = "code=x&state=x&error=x&error_description=x&iss=x&oauth_token=x";

/** The pages of `app/` outside the API, as `GET /posts/{id}`, and its forms, as `POST /sign-in`. */
function readPages(): { method: "GET" | "POST"; path: string }[] {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|\/)(page\.tsx|route\.tsx?)$/.test(file),
  );
  return files.flatMap((file) => {
    const folders = file.split("/").slice(0, -1);
    const path = `/${folders
      .filter((folder) => !folder.startsWith("("))
      .map((folder) => folder.replace(/^\[+(?:\.{3})?(\w+)\]+$/, "{$1}"))
      .join("/")}`;
    if (isApiPath(path)) return [];
    if (file.endsWith("page.tsx")) return [{ method: "GET" as const, path }];
    const source = readFileSync(`app/${file}`, "utf8");
    const methods = (["GET", "POST"] as const).filter((method) =>
      new RegExp(`^export (?:(?:async )?function ${method}\\b|\\{[^}]*\\b${method}\\b)`, "m").test(source),
    );
    return methods.map((method) => ({ method, path }));
  });
}

/** The forms of `app/`, and the endpoints outside of the routes that take a body, without a valid request among the doors. */
export function inputsWithoutDoor(doors: { [name: string]: Door }): string[] {
  const forms = readPages().filter(({ method }) => method === "POST");
  const endpoints = publicEndpoints.filter(({ method }) => method !== "get");
  return [...forms, ...endpoints.map(({ method, path }) => ({ method: method.toUpperCase(), path }))]
    .filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^ ]+")}$`);
      return !Object.keys(doors).some((name) => pattern.test(name));
    })
    .map(({ method, path }) => `${method} ${path}`);
}

/** Valid requests to the inputs that the fuzz trial does not try: forms, pages and the networks' callbacks. */
export async function openMoreDoors(product: OwnProduct, seed: number): Promise<{ [name: string]: Door }> {
  const { url } = product;
  const person = await newPerson(product, `forms-${seed}@example.com`);
  const cookie = await signIn(product, person.email);
  const browser = { cookie, origin: url };
  const doors: { [name: string]: Example } = {};
  for (const [path, form] of Object.entries(forms)) {
    // A form that ends the session must not end the one that the others need.
    doors[`POST ${path}`] = { headers: path === "/sign-out" ? { origin: url } : browser, form };
  }
  for (const { path } of readPages().filter(({ method }) => method === "GET")) {
    const query = queries[path] ?? "";
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "x"]);
    doors[`GET ${path}`] = { headers: browser, query, params: Object.fromEntries(names) };
  }
  for (const network of networkNames) {
    doors[`GET /oauth/connect/callback/${network}`] = { headers: browser, query: callbackQuery };
    doors[`POST /callbacks/${network}`] = { json: { update_id: 1, message: { text: "x", from: { id: 1 } } } };
    doors[`POST /callbacks/${network}/deletion`] = { form: { signed_request: "x.x" } };
  }
  const post = { content: "Right", attachmentPaths: ["https://example.invalid/right.gif"] };
  const on = { socialMediaAccountId: 1, platformSettings: { type: "TWITTER" }, posts: [post] };
  doors["POST /mcp"] = {
    headers: { ...person.headers, accept: "application/json, text/event-stream" },
    json: {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "validate_post", arguments: { publications: [on], scheduledTime: "2090-01-01T00:00:00Z" } },
    },
  };
  doors["PUT /media/uploads/{owner}/{name}"] = {
    ...{ params: { owner: "x", name: "x" }, query: "expires=x&signature=x", raw: "x" },
    headers: { "content-type": "image/png" },
  };
  const frame = { origin: url, authorization: "Bearer x" };
  doors["GET /embed/connect/{id}/accounts"] = { headers: frame, params: { id: "x" }, query: "ticket=x" };
  for (const list of ["connect", "webhooks"]) {
    doors[`POST /embed/${list}/{id}/open`] = {
      ...{ headers: frame, params: { id: "x" } },
      json: { clientToken: "x", origin: "https://partner.example" },
    };
  }
  doors["POST /embed/connect/{id}/links"] = { headers: frame, params: { id: "x" }, json: { platform: "X_TWITTER" } };
  doors["GET /_next/image"] = { headers: browser, query: "url=x&w=x&q=x" };
  doors["POST /"] = { headers: { ...browser, "next-action": "x", "content-type": "text/plain" }, raw: "[]" };
  return Object.fromEntries(
    Object.entries(doors).map(([name, example]): [string, Door] => [
      name,
      { kind: "page", example: async () => example },
    ]),
  );
}
