import { html } from "hono/html";
import { isLoopback, isReturnAddress, notice } from "../core/consent";
import { askConsent } from "../core/consent-flow";
import type { Answer, Call } from "../core/network";
import type { TikTokState } from "./state";

export const CLIENT = { key: "sandbox-tiktok", secret: "sandbox-tiktok-secret" };
const CODE_SECONDS = 600;
/** Codes hold characters that a query has to encode. */
export const CODE_TAIL = "*0!5005.sb1";

const SCOPES: Record<string, string> = {
  "user.info.basic": "read your profile (open id, avatar, display name)",
  "user.info.profile": "read access to your profile information, such as your username",
  "user.info.stats": "read your profile engagement statistics",
  "video.publish": "post content to TikTok",
  "video.upload": "share content to your account as a draft",
  "video.list": "read your public posts on TikTok",
};

/** `GET` and `POST /v2/auth/authorize/`; source: developers.tiktok.com, Login Kit for Web. */
export async function authorize(state: TikTokState, call: Call): Promise<Response> {
  const query = call.req.query();
  const asked = (query.scope ?? "").split(",").filter(Boolean);
  const wrong = wrongWith(query, asked);
  if (wrong) return somethingWentWrong(call, wrong);
  const scopes = [...new Set(["user.info.basic", ...asked])];
  const asks = scopes.map((scope) => SCOPES[scope] ?? scope);
  const page = { network: "tiktok", name: "TikTok", asks, extra: toggles(scopes) };
  return askConsent(state.world, call, {
    page,
    denied: { error: "access_denied", error_description: "User canceled the authorization" },
    allow(account, form) {
      const refused = form.getAll("without");
      const granted = scopes.filter((scope) => scope === "user.info.basic" || !refused.includes(scope));
      const { redirect_uri: redirectUri = "", code_challenge: challenge } = query;
      const facts = { account, clientId: CLIENT.key, redirectUri, scopes: granted, challenge };
      return { code: `${state.codes.issue(facts, CODE_SECONDS)}${CODE_TAIL}`, scopes: granted.join(",") };
    },
  });
}

/** What a person may switch off. */
function toggles(scopes: string[]) {
  return html`<fieldset><legend>Edit access</legend>
    ${scopes
      .filter((scope) => scope !== "user.info.basic")
      .map(
        (scope) =>
          html`<label class="pick"><input type="checkbox" name="without" value="${scope}"> not: ${SCOPES[scope]}</label>`,
      )}
  </fieldset>`;
}

function wrongWith(query: Record<string, string>, scopes: string[]): string | undefined {
  if (query.client_key !== CLIENT.key) return "client_key";
  if (query.response_type !== "code") return "response_type";
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (scopes.length === 0 || unknown) return "scope";
  if (!isRegistrable(query.redirect_uri ?? "")) return "redirect_uri";
  return query.code_challenge && query.code_challenge_method !== "S256" ? "code_challenge_method" : undefined;
}

/** Absolute and static: neither a query nor a fragment, shorter than 512 characters. */
function isRegistrable(redirectUri: string): boolean {
  return isReturnAddress(redirectUri) && redirectUri.length < 512 && !/[?#]/.test(redirectUri);
}

/** A desktop application's: PKCE is part of the flow for those alone. */
export function isDesktop(redirectUri: string): boolean {
  const { hostname, port } = new URL(redirectUri);
  return isLoopback(hostname) && port !== "";
}

function somethingWentWrong(call: Call, parameter: string): Answer {
  const text = `We couldn’t log in with TikTok. This may be due to specific app settings. Errors for developers: ${parameter}`;
  return notice(call, "TikTok", "Something went wrong", text, 400);
}
