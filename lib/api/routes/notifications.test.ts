import { expect, test } from "vitest";
import { as, newOwner, readResponse } from "../../testing";

const PATH = "/v1/me/notifications";
const email = { postPublished: true, postFailed: true, accountReconnect: true, webhookDisabled: false };
const quietHours = { from: "22:00", to: "07:05", timeZone: "Europe/Berlin" };

test("quiet hours change only if they are given", async () => {
  const client = as(await newOwner());
  expect(await readResponse(client.put(PATH, { email }))).toEqual([200, { email }]);
  expect(await readResponse(client.put(PATH, { email, quietHours }))).toEqual([200, { email, quietHours }]);
  expect(await readResponse(client.put(PATH, { email: { ...email, postFailed: false } }))).toEqual([
    200,
    { email: { ...email, postFailed: false }, quietHours },
  ]);
  const [, exported] = await readResponse(client.get("/v1/me/export"));
  expect(exported).toMatchObject({ notifications: { quietHours } });
  expect(await readResponse(client.put(PATH, { email, quietHours: null }))).toEqual([200, { email }]);
  expect(await readResponse(client.get(PATH))).toEqual([200, { email }]);
});

test.each([
  [{ ...quietHours, to: "22:00" }, "quietHours.to must be a different time than from"],
  [{ ...quietHours, from: "24:00" }, "quietHours.from must be a time of day, such as 22:00"],
  [{ ...quietHours, timeZone: "+01:00" }, "quietHours.timeZone must be an IANA time zone, such as Europe/Berlin"],
  [{ from: "22:00", to: "07:00" }, "quietHours.timeZone cannot be null"],
  [{ ...quietHours, days: ["MONDAY"] }, "quietHours.days is not a field here"],
])("400 without changes: %j", async (wrong, says) => {
  const client = as(await newOwner());
  expect(await readResponse(client.put(PATH, { email, quietHours: wrong }))).toEqual([400, { error: says }]);
  expect((await readResponse(client.get(PATH)))[1]).not.toHaveProperty("quietHours");
});
