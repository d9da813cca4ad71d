import { expect, test } from "vitest";
import { registry } from "../metrics";
import { as, newOwner } from "../testing";

test("a request is counted under the template of its route, never under its path", async () => {
  const client = as(await newOwner());
  await client.get("/v1/posts/987654321");
  const text = await registry.metrics();
  expect(text).toMatch(/^carillon_http_requests_total\{method="GET",route="\/v1\/posts\/\{id\}",status="4xx"\} \d+$/m);
  expect(text).toMatch(/^carillon_http_request_duration_seconds_count\{route="\/v1\/posts\/\{id\}"\} \d+$/m);
  expect(text).not.toContain("987654321");
});
