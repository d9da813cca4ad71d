import { expect, test } from "vitest";
import { createApplication, createPartner, newClientId } from "./applications";

test("a client ID never begins with a hyphen, so that commands do not mistake it for an option", () => {
  const ids = Array.from({ length: 5_000 }, newClientId);
  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ["a\0b", "Name contains a character that is not valid text"],
  [" \u00a0", "Name is required"],
  ["x".repeat(201), "Name must have at most 200 characters"],
])("neither an application nor a partner has the name %j", async (name, says) => {
  await expect(createApplication(name, ["https://a.example/"])).rejects.toThrow(says);
  await expect(createPartner(name)).rejects.toThrow(says);
});
