import { expect, test } from "vitest";
import { newClientId } from "./applications";

test("a client ID never begins with a hyphen, so that commands do not mistake it for an option", () => {
  const ids = Array.from({ length: 5_000 }, newClientId);
  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
