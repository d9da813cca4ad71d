import { env } from "../../env";
import { applicationScopes, type Scope } from "../../oauth";
import type { Route } from "../route";

/** What each scope allows, in the order in which a person chooses them. */
export const scopeDescriptions = {
  "posts.read": "Read posts",
  "posts.write": "Create, validate, change, delete and retry posts",
  "posts.propose":
    "Propose posts as drafts that a person must approve, read what became of them, and see connected accounts. Never publishes",
  "media.write": "Upload, list and remove files",
  "accounts.read": "See connected accounts and their destinations",
  "webhooks.write": "Set up webhooks",
  api: "Everything except the scope account: includes all other scopes",
  account:
    "Delete the user, export everything stored about them, and see and end their sessions and allowed applications",
} satisfies Record<Scope, string>;

/** A scope as written in tokens. */
export function wireScope(scope: Scope): string {
  return `service-api/${scope}`;
}

export function securitySchemes(): { [name: string]: object } {
  const scopes = Object.fromEntries(applicationScopes.map((name) => [wireScope(name), scopeDescriptions[name]]));
  const tokenUrl = `${env.authUrl}/oauth/token`;
  return {
    application: {
      type: "oauth2",
      description: "An application acts for one person, who consents in the browser.",
      flows: {
        authorizationCode: { authorizationUrl: `${env.authUrl}/authorize`, tokenUrl, refreshUrl: tokenUrl, scopes },
      },
    },
    personal: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description:
        "A personal token, which a person creates under Developers. Only a personal token can have the scope `service-api/account`.",
    },
    partner: {
      type: "oauth2",
      description:
        "A partner acts in its own name, or for its users with an identity header. Its token has every scope.",
      flows: { clientCredentials: { tokenUrl, scopes } },
    },
    session: {
      type: "apiKey",
      in: "cookie",
      name: `${env.appUrl.startsWith("https:") ? "__Secure-" : ""}next-auth.session-token`,
      description: "The dashboard's own session. A call that changes something must come from the dashboard's origin.",
    },
    webhookSignature: {
      type: "apiKey",
      in: "header",
      name: "webhook-signature",
      description: "Carillon signs each webhook request as the Standard Webhooks specification describes.",
    },
  };
}

/** Who can call a route: any one of these. */
export function securityOf({ scope, orProposer }: Route): { [scheme: string]: string[] }[] {
  if (scope === "partner") return [{ partner: [wireScope("api")] }];
  const scopes = [wireScope(scope)];
  if (scope === "account") return [{ personal: scopes }, { partner: [wireScope("api")] }, { session: [] }];
  const proposing = [wireScope("posts.propose")];
  return [
    ...[{ application: scopes }, { personal: scopes }, { partner: scopes }, { session: [] }],
    ...(orProposer ? [{ application: proposing }, { personal: proposing }] : []),
  ];
}
