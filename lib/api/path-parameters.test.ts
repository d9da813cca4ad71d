import { beforeAll, expect, test } from "vitest";
import { as, newOwner } from "../testing";
import { newPartner } from "../testing/owners";
import { routes } from "./app";

/** Text that PostgreSQL cannot store, a broken escape, and text that is longer than any ID. */
const ODD = ["%00", "a%00b", "%ff", "%ed%a0%80", "'", "a".repeat(5_000)];

let person: ReturnType<typeof as>;
let partner: Awaited<ReturnType<typeof newPartner>>;

beforeAll(async () => {
  person = as(await newOwner());
  partner = await newPartner();
});

const withParameters = routes.filter(({ path }) => path.includes("{"));

test.each(withParameters.map(({ method, path, scope }) => [method.toUpperCase(), path, scope] as const))(
  "%s %s refuses odd text in its address",
  async (method, path, scope) => {
    const caller = scope === "partner" ? partner : person;
    for (const [name] of path.matchAll(/\{\w+\}/g)) {
      for (const odd of ODD) {
        const address = path.replace(name, odd).replace(/\{\w+\}/g, "1");
        const { status } = await caller.request(address, { method });
        expect(status, address.slice(0, 80)).toBeGreaterThanOrEqual(400);
        expect(status, address.slice(0, 80)).toBeLessThan(500);
      }
    }
  },
);
