import { z } from "zod";
import type { ErrorFacts, ErrorRule } from "../errors";

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
