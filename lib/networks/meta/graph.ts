import { createHmac } from "node:crypto";
import { z } from "zod";
import { type ErrorFacts, type ErrorRule, PlatformError } from "../errors";
import type { App, SettingOption } from "../session";
import { idSchema, readAnswer } from "../wire/json";

const code = z.union([z.number(), z.string()]).optional();
const envelope = z.object({
  error: z.object({
    message: z.string().optional(),
    code,
    error_subcode: code,
    is_transient: z.boolean().optional(),
    error_user_msg: z.string().optional(),
  }),
});

/**
 * Reads the Graph API's error envelope (developers.facebook.com/docs/graph-api/guides/error-handling). The code has the form
 * `190/463` (code/subcode), prefixed with `transient ` if Meta marks it so. Returns undefined for answers of another shape.
 */
export function readGraphError(answer: unknown): ErrorFacts | undefined {
  const error = envelope.safeParse(answer).data?.error;
  if (!error) return undefined;
  const full = error.error_subcode === undefined ? `${error.code}` : `${error.code}/${error.error_subcode}`;
  const message = [error.message, error.error_user_msg].filter(Boolean).join(" ");
  return { code: error.is_transient ? `transient ${full}` : full, message };
}

const DASHBOARD = "Meta's App Dashboard (developers.facebook.com/apps)";

/**
 * Answers that are about our own app, whatever their code says about the token or the permission: they come before other rules.
 * Observed in production; Meta documents only code 3 (…/docs/graph-api/guides/error-handling).
 * @param setting the prefix of the settings with the app's credentials
 */
export function appErrorRules(network: string, setting: string): ErrorRule[] {
  const credentials = {
    kind: "operator",
    message: `${network} does not accept this service's own credentials`,
    fix: `Compare ${setting}_CLIENT_ID and ${setting}_CLIENT_SECRET with the app in ${DASHBOARD}`,
  } as const;
  const blocked = {
    kind: "operator",
    message: `${network} has blocked this service's app`,
    fix: `Read the alerts of the app in ${DASHBOARD} and do what they ask for`,
  } as const;
  const unreviewed = {
    kind: "operator",
    message: `${network} has not approved this service's app for this action`,
    fix: `Request advanced access to the app's permissions under App Review in ${DASHBOARD}, and switch the app to live mode`,
  } as const;
  return [
    // With a server error, Threads has published a post although it named a missing permission (tirthpatell/threads-go#30). The
    // others may do the same.
    ...[500, 502, 503, 504].map(
      (status): ErrorRule => ({
        when: { status, code: /^(transient )?10(\/|$)/ },
        kind: "unknown",
        message: `${network} had an internal error`,
      }),
    ),
    {
      when: { message: /appsecret_proof|validating client secret|validating application|invalid client.?(id|secret)/i },
      ...credentials,
    },
    { when: { code: "OAuthException" }, ...credentials }, // the token endpoint's own error format
    {
      when: { message: /API access (is )?(blocked|disabled|deactivated)|app(lication)? has been (deleted|disabled)/i },
      ...blocked,
    },
    { when: { code: /^(transient )?3(\/|$)/ }, ...unreviewed },
    {
      when: { message: /application does not have (the capability|permission)|app is in development mode/i },
      ...unreviewed,
    },
  ];
}

/** Parses a time of the Graph API, which writes the UTC offset without a colon. */
export function graphTime(written: string): Date {
  return new Date(written.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
}

/**
 * Returns the hex HMAC-SHA256 of a call's token with our secret. Required if the application's "Require App Secret" setting is
 * on, and always allowed (developers.facebook.com/docs/graph-api/guides/secure-requests).
 */
export function appSecretProof(call: { app: Pick<App, "clientSecret">; token: string }): { appsecret_proof: string } {
  return { appsecret_proof: createHmac("sha256", call.app.clientSecret).update(call.token).digest("hex") };
}

/**
 * Whether a list has more. Meta leaves posts out for their privacy, so a list can be shorter than asked without being the end:
 * only an answer without `next` is the last (developers.facebook.com/docs/graph-api/results).
 */
export const pagingSchema = z
  .object({ next: z.string().optional() })
  .optional()
  .transform((paging) => ({ hasMore: paging?.next !== undefined }));

const text = z.string().optional();
const placesSchema = z.object({
  data: z
    .array(
      z.object({
        id: idSchema,
        name: z.string(),
        location: z
          .object({
            street: text,
            city: text,
            country: text,
            latitude: z.number().optional(),
            longitude: z.number().optional(),
          })
          .optional(),
      }),
    )
    .default([]),
});

/**
 * Searches the Pages that are places by name with `GET /pages/search` of the Facebook Graph API, whose IDs are also Instagram's
 * locations. Pages without coordinates are left out: Instagram refuses them.
 *
 * Documented (…/documentation/pages-api/search-pages): `q`, `fields`, the answer, and a user's token with a proof or an app token.
 * Documented (…/docs/features-reference/page-public-metadata-access) and observed (error 10): the app needs the feature Page
 * Public Metadata Access. One production client reports that a user's token with `pages_read_engagement` is enough, so Facebook
 * decides, and only its refusal is reported.
 * @param send sends `GET /pages/search` with these parameters
 * @throws PlatformError `operator` if the app may not search
 */
export async function searchPlaces(
  network: string,
  name: string,
  send: (parameters: { q: string; fields: string }) => Promise<Response>,
): Promise<SettingOption[]> {
  const response = await send({ q: name, fields: "id,name,location" }).catch((error: unknown) => {
    throw isFeatureMissing(error) ? featureMissing(error) : error;
  });
  const { data } = await readAnswer(network, placesSchema, response);
  return data.flatMap(({ id, name, location: at }) =>
    at?.latitude === undefined || at.longitude === undefined
      ? []
      : [{ id, title: titleOfPlace(name, at.street, at.city, at.country) }],
  );
}

/** `(#10)`, `(#200)` and `(#3)`, and `(#100)` with the feature's name: github.com/strohne/Facepager/issues/139 and 174. */
function isFeatureMissing(error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError) || error.kind === "unknown") return false;
  const { code = "", message = "" } = error.answer ?? {};
  return /^(3|10|2\d\d)(\/|$)/.test(code) || /Page Public (Metadata|Content) Access/i.test(message);
}

function featureMissing({ answer }: PlatformError): PlatformError {
  return new PlatformError(
    "operator",
    "Facebook searches places only for apps with the feature Page Public Metadata Access",
    {
      answer,
      fix: `Request the feature Page Public Metadata Access for the Facebook app under App Review in ${DASHBOARD}`,
    },
  );
}

/** The name of a place with the parts of its address that are known. */
export function titleOfPlace(name: string, ...address: (string | undefined)[]): string {
  return [name, ...address].filter(Boolean).join(", ");
}
