import { describe, expect, test } from "vitest";
import "../testing/database";
import { routes } from "./app";
import { errorResponsesOf } from "./openapi/error-responses";
import { routeNameOf, statusAndBody } from "./testing/ask";
import { provoke, routesWithErrors } from "./testing/refused";

/** Server errors, which can happen on any route. `lib/api/app.test.ts` and `lib/media/quota.test.ts` cover them. */
const OURS = [500, 503, 507];

/** IDs and numbers differ between the request and the reference. */
const words = (error: unknown) =>
  String(error)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replace(/\d+/g, "<n>");

describe.each(routes)("errors of $method $path", (route) => {
  const refusals = errorResponsesOf(route).filter(({ status }) => !OURS.includes(status));

  test.each(refusals)("$status: $when", async (refusal) => {
    const [status, body] = statusAndBody(await provoke(refusal, route));
    expect([status, words((body as { error?: string }).error)]).toEqual([refusal.status, words(refusal.error)]);
  });
});

test("every provoked error is declared by a route", () => {
  const declared = routes.flatMap((route) => errorResponsesOf(route).map(({ when }) => `${route.operationId} ${when}`));
  expect(routesWithErrors.filter((way) => !declared.includes(way))).toEqual([]);
  expect(new Set(routes.map(routeNameOf)).size).toBe(routes.length);
});
