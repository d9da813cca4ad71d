import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allNetworks } from ".";
import { platformErrorFrom } from "./errors";

/** One answer of a network as someone reported or documented it in public. docs/networks/README.md says how to add one. */
const errorBody = z.strictObject({
  status: z.number().int(),
  /** True if the source does not state the status. */
  statusAssumed: z.literal(true).optional(),
  body: z.unknown(),
  /** `duplicate` is a rejected post that the network already has. `quota` is a rate or daily limit, of us or of the operator. */
  class: z.enum(["reconnect", "operator", "rejected", "later", "unknown", "duplicate", "quota"]),
  source: z.url({ protocol: /^https$/ }),
  /** True if the source is the network's documentation: the body then contains only the fields that it states. */
  documented: z.literal(true).optional(),
  /** True if the source is the code or a test of another project, and does not say that the network sent this answer. */
  fromCode: z.literal(true).optional(),
  operation: z.string().optional(),
  note: z.string().optional(),
});
type ErrorBody = z.infer<typeof errorBody>;

const read = (name: string): ErrorBody[] =>
  z
    .array(errorBody)
    .parse(JSON.parse(readFileSync(new URL(`testing/error-bodies/${name}.json`, import.meta.url), "utf8")));

/** The bodies that a person received and published. */
const reportedOf = (bodies: ErrorBody[]) => bodies.filter(({ documented, fromCode }) => !documented && !fromCode);

const corpus = allNetworks().map((network) => ({
  network,
  bodies: read(network.name.toLowerCase()),
}));

describe.each(corpus)("$network.name", ({ network, bodies }) => {
  test.each(bodies)("$status $body is $class ($source)", ({ status, body, class: expected }) => {
    const error = platformErrorFrom(network.name, network.errors, body, { status, headers: new Headers() });
    const { kind, duplicate, throttled } = error;
    if (expected === "duplicate") expect({ kind, duplicate }).toEqual({ kind: "rejected", duplicate: true });
    else if (expected === "quota")
      expect({ isRetried: kind === "later" || kind === "operator", throttled }).toEqual({
        isRetried: true,
        throttled: true,
      });
    else expect({ kind, duplicate }).toEqual({ kind: expected, duplicate: false });
  });

  test("has at least fifteen bodies that people reported, none of them from a test of another project, and none twice", () => {
    const reported = reportedOf(bodies);
    expect(reported.length).toBeGreaterThanOrEqual(15);
    expect(reported.filter(({ source }) => /[/_.](__tests__|tests?|spec)[/_.]/i.test(source))).toEqual([]);
    const answers = bodies.map(({ status, body }) => JSON.stringify([status, body]));
    expect(answers).toEqual([...new Set(answers)]);
  });
});

test("people reported at least 200 of the bodies", () => {
  expect(corpus.flatMap(({ bodies }) => reportedOf(bodies)).length).toBeGreaterThanOrEqual(200);
});
