import { expect, test } from "vitest";
import { splitReconnectMessage } from "./errors";

test.each([
  ["X wants you back", "X wants you back", "Connect the account again"],
  ["X wants you back. Connect the account again.", "X wants you back", "Connect the account again"],
  ["It took too long. Connect again", "It took too long", "Connect again"],
  [
    "No permission. Connect the account again and allow all",
    "No permission",
    "Connect the account again and allow all",
  ],
  [
    "Facebook wants you at facebook.com. Do that, then connect the account again",
    "Facebook wants you at facebook.com",
    "Do that, then connect the account again",
  ],
  ["It is deactivated. Connect it again once it is active", "It is deactivated", "Connect it again once it is active"],
])("splitReconnectMessage: %s", (message, reason, action) => {
  expect(splitReconnectMessage(message)).toEqual({ reason, action });
});
