import { describe, expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { errors } from "./errors";

const told = (body: unknown, status: number, headers = {}) =>
  platformErrorFrom("X", errors, body, { status, headers: new Headers(headers) });
const problem = (status: number, detail: string, type = "about:blank", title = "T") => ({
  title,
  detail,
  type,
  status,
});
const old = (message: string, code?: number) => ({ errors: [{ message, code }] });

type Row = [meaning: string, body: unknown, status: number, kind: ErrorKind, says: string];

/** docs.x.com/x-api/fundamentals/response-codes-and-errors, and answers observed in production. */
describe("each documented error", () => {
  test.each<Row>([
    ["token expired", problem(401, "Unauthorized"), 401, "reconnect", "no longer accepts"],
    [
      "app-only token",
      problem(403, "m", "https://api.x.com/2/problems/unsupported-authentication"),
      403,
      "rejected",
      "type of credential",
    ],
    [
      "scope missing",
      problem(403, "Your client app is not configured with the appropriate oauth2 scopes"),
      403,
      "reconnect",
      "does not cover",
    ],
    [
      "an app outside of a project",
      {
        ...problem(
          403,
          "use keys from an App that is attached to a Project",
          "https://api.twitter.com/2/problems/client-forbidden",
        ),
        reason: "client-not-enrolled",
        required_enrollment: "Appropriate Level of API Access",
      },
      403,
      "operator",
      "not enrolled in a project",
    ],
    [
      "a plan without posting",
      old("You currently have access to a subset of X API V2 endpoints", 453),
      403,
      "operator",
      "plan",
    ],
    [
      "a plan without posting, without its code",
      problem(403, "You currently have access to a subset of Twitter API v2 endpoints and limited v1.1 endpoints"),
      403,
      "operator",
      "plan",
    ],
    ["a suspended app", old("Invalid / suspended application", 416), 403, "operator", "suspended this service's app"],
    [
      "a suspended app, in words",
      problem(403, "This application has been suspended"),
      403,
      "operator",
      "suspended this service's app",
    ],
    [
      "an app that may only read",
      problem(403, "Your client app is not configured with the appropriate oauth1 app permissions for this endpoint."),
      403,
      "operator",
      "may only read",
    ],
    [
      "duplicate",
      problem(403, "You are not allowed to create a Tweet with duplicate content."),
      403,
      "rejected",
      "already posted",
    ],
    ["old-style duplicate", old("Status is a duplicate.", 187), 403, "rejected", "already posted"],
    [
      "reply",
      problem(403, "Reply to this conversation is not allowed because you have not been mentioned"),
      403,
      "rejected",
      "this reply",
    ],
    ["quote", problem(403, "Quoting this post is not allowed for you"), 403, "rejected", "to be quoted"],
    ["too long", old("Your Tweet text is too long."), 400, "rejected", "text is too long"],
    ["too long with 403", problem(403, "Your Tweet text is too long."), 403, "rejected", "text is too long"],
    ["cashtags", old("You may have a maximum of one cashtag"), 400, "rejected", "at most one cashtag"],
    ["cashtags with 403", problem(403, "a maximum of one cashtag"), 403, "rejected", "at most one cashtag"],
    ["bad media id", old("Your media IDs are invalid."), 400, "rejected", "no longer has the files"],
    [
      "schema",
      old("$.media.media_ids: there must be a maximum of 4 items in the array"),
      400,
      "rejected",
      "maximum of 4 items",
    ],
    ["unsafe link", old("The Tweet contains an invalid URL."), 400, "rejected", "unsafe"],
    [
      "generic",
      problem(403, "You are not permitted to perform this action."),
      403,
      "rejected",
      "You are not permitted",
    ],
    [
      "no credits",
      problem(402, "m", "https://api.x.com/2/problems/credits", "CreditsDepleted"),
      402,
      "operator",
      "credits",
    ],
    ["cap with 429", problem(429, "m", "https://api.x.com/2/problems/usage-capped"), 429, "operator", "credits"],
    ["cap with 403", problem(403, "m", "https://api.x.com/2/problems/usage-capped"), 403, "operator", "credits"],
    ["rate limited", problem(429, "Too Many Requests"), 429, "later", "slow down"],
    ["old-style rate limit", old("Rate limit exceeded", 88), 429, "later", "slow down"],
    [
      "suspended",
      problem(403, "m", "https://api.x.com/2/problems/user-suspended"),
      403,
      "reconnect",
      "suspended or locked",
    ],
    [
      "locked",
      problem(403, "To protect our users, this account is temporarily locked."),
      403,
      "reconnect",
      "suspended or locked",
    ],
    ...[500, 502, 503, 504].map((status): Row => [`${status}`, undefined, status, "unknown", "internal error"]),
    [
      "used refresh token",
      { error: "invalid_request", error_description: "Value passed for the token was invalid." },
      400,
      "reconnect",
      "permission",
    ],
    [
      "expired code",
      { error: "invalid_request", error_description: "Value passed for the authorization code was invalid." },
      400,
      "reconnect",
      "sign-in",
    ],
    [
      "no Basic",
      { error: "unauthorized_client", error_description: "Missing valid authorization header" },
      401,
      "operator",
      "own credentials",
    ],
  ])("%s", (_, body, status, kind, says) => {
    const error = told(body, status);
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
    expect(error.answer?.status).toBe(status);
  });

  test("marks a duplicate", () => {
    expect(told(old("Status is a duplicate.", 187), 403).duplicate).toBe(true);
    expect(told(old("Your Tweet text is too long."), 400).duplicate).toBe(false);
  });

  test("tells the operator what to do about credits, and where", () => {
    expect(told(problem(402, "m"), 402)).toMatchObject({ fix: expect.stringContaining("console.x.com") });
  });
});
