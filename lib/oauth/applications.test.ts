import { expect, test } from "vitest";
import { newClientId } from "./applications";

test("a client id can be given to a command as it is: none of thousands begins like an option", () => {
  const ids = Array.from({ length: 5_000 }, newClientId);
  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
