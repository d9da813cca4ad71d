import { expect, test } from "vitest";
import type { ApiAccount } from "../api/types";
import { handleOf } from "./names";

const account = (accountUsername: string, accountDisplayName: string): ApiAccount => ({
  id: 1,
  platform: "X_TWITTER",
  accountId: "1",
  accountUsername,
  accountDisplayName,
  state: "ACTIVE",
  stateTime: "",
  createdTime: "",
  updatedTime: "",
});

test.each([
  ["a handle", "bells", "The Bells", "@bells"],
  ["one that came with its sign", "@bells", "The Bells", "@bells"],
  ["none", "", "The Bells", "The Bells"],
  ["a name in its place, as LinkedIn and Facebook give it", "Alice Sandbox", "Alice Sandbox", "Alice Sandbox"],
])("%s", (_, username, name, written) => {
  expect(handleOf(account(username, name))).toBe(written);
});
