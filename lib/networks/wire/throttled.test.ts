import { describe, expect, test } from "vitest";
import type { Platform } from "../../platforms";
import { platformErrorFrom } from "../errors";
import { networkOf } from "../index";

type Row = [platform: Platform, status: number, body: unknown];

function from(platform: Platform, status: number, body: unknown, headers: { [name: string]: string } = {}) {
  const network = networkOf(platform);
  return platformErrorFrom(network.name, network.errors, body, { status, headers: new Headers(headers) });
}

const graph = (code: number, subcode?: number) => ({ error: { message: "m", code, error_subcode: subcode } });
const google = (reason: string) => ({ error: { code: 403, message: "m", errors: [{ reason, message: "m" }] } });
const tiktok = (code: string) => ({ error: { code, message: "m", log_id: "1" } });

describe("rate and daily limits, whatever the status", () => {
  test.each<Row>([
    ...[4, 17, 32, 341, 613, 80_001, 80_002].map((code): Row => ["FACEBOOK", 403, graph(code)]),
    ...[4, 17, 32, 613, 80_002].map((code): Row => ["INSTAGRAM", 400, graph(code)]),
    ["INSTAGRAM", 400, graph(80_002, 2_446_079)],
    ["INSTAGRAM", 403, graph(9, 2_207_042)],
    ...[4, 17, 32, 613].map((code): Row => ["THREADS", 400, graph(code)]),
    ["THREADS", 403, graph(9, 2_207_042)],
    ["LINKEDIN", 403, { message: "m", serviceErrorCode: 101 }],
    ["LINKEDIN", 400, { message: "m", code: "TOO_MANY_REQUESTS" }],
    ...["spam_risk_too_many_posts", "spam_risk_too_many_pending_share"].map(
      (code): Row => ["TIKTOK", 403, tiktok(code)],
    ),
    ["TIKTOK", 400, tiktok("rate_limit_exceeded")],
    ...["rateLimitExceeded", "userRateLimitExceeded"].map((reason): Row => ["YOUTUBE", 403, google(reason)]),
    ["YOUTUBE", 400, google("uploadLimitExceeded")],
    ["X_TWITTER", 403, { errors: [{ code: 88, message: "Rate limit exceeded" }] }],
    ["BLUE_SKY", 400, { error: "TooManyOpenUploads", message: "m" }],
    ["PINTEREST", 429, { code: 8, message: "m" }],
    ["TELEGRAM", 429, { description: "Too Many Requests: retry after 7" }],
  ])("throttled: %s, %i %o", (platform, status, body) => {
    expect(from(platform, status, body)).toMatchObject({ kind: "later", refused: true, throttled: true });
  });

  test.each<Row>([
    [
      "LINKEDIN",
      429,
      { message: "Resource level throttle APPLICATION DAY limit for calls to this resource is reached." },
    ],
    ["TIKTOK", 403, tiktok("reached_active_user_cap")],
    ...["quotaExceeded", "dailyLimitExceeded"].map((reason): Row => ["YOUTUBE", 403, google(reason)]),
    ["X_TWITTER", 402, { title: "CreditsDepleted", detail: "m" }],
    ["X_TWITTER", 403, { type: "https://api.twitter.com/2/problems/usage-capped", detail: "m" }],
  ])("a limit of the whole application is the operator's: %s, %i %o", (platform, status, body) => {
    expect(from(platform, status, body)).toMatchObject({ kind: "operator", refused: true });
  });

  test.each<Row>([
    ["FACEBOOK", 400, graph(100)],
    ["FACEBOOK", 500, graph(2)],
    ["INSTAGRAM", 400, graph(9007, 2_207_027)],
    ["YOUTUBE", 403, google("accessNotConfigured")],
    ["TIKTOK", 403, tiktok("url_ownership_unverified")],
    ["LINKEDIN", 422, { message: "m", code: "FIELD_LENGTH_TOO_LONG" }],
    ["X_TWITTER", 503, { detail: "Service Unavailable" }],
  ])("not throttled: %s, %i %o", (platform, status, body) => {
    expect(from(platform, status, body).throttled).toBe(false);
  });
});

describe("waiting time", () => {
  const usage = (minutes: number) => JSON.stringify({ "1": [{ estimated_time_to_regain_access: minutes }] });

  test("of the network, from Retry-After or Meta's usage header, counts as given by the network", () => {
    expect(from("FACEBOOK", 403, graph(32), { "x-business-use-case-usage": usage(12) })).toMatchObject({
      retryAfterSeconds: 720,
      isWaitStated: true,
    });
    expect(from("THREADS", 400, graph(4), { "retry-after": "90" })).toMatchObject({
      retryAfterSeconds: 90,
      isWaitStated: true,
    });
  });

  test("of an error table does not, and the network's own time replaces it", () => {
    expect(from("TIKTOK", 429, tiktok("rate_limit_exceeded"))).toMatchObject({
      retryAfterSeconds: 60,
      isWaitStated: false,
    });
    expect(from("TIKTOK", 429, tiktok("rate_limit_exceeded"), { "retry-after": "5" })).toMatchObject({
      retryAfterSeconds: 5,
      isWaitStated: true,
    });
  });

  test("is not invented if neither states one", () => {
    expect(from("FACEBOOK", 403, graph(32))).toMatchObject({ retryAfterSeconds: undefined, isWaitStated: false });
  });
});
