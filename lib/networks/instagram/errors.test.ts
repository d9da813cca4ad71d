import { describe, expect, test } from "vitest";
import { type ErrorKind, platformErrorFrom } from "../errors";
import { containerError, errors } from "./errors";

const graph = (code: number, error_subcode?: number, message = "m", more = {}) => ({
  error: { message, type: "OAuthException", code, error_subcode, ...more },
});
const told = (body: unknown, status = 400, headers = {}) =>
  platformErrorFrom("Instagram", errors, body, { status, headers: new Headers(headers) });

type Row = [code: number, subcode: number | undefined, kind: ErrorKind, says: string];

test("a missing permission with a server error leaves open whether the post exists", () => {
  expect(told(graph(10, undefined, "Application does not have permission"), 500)).toMatchObject({ kind: "unknown" });
});

/** All codes of …/instagram-graph-api/reference/error-codes. */
describe("each documented error code", () => {
  test.each<Row>([
    ...[458, 459, 460, 463, 464, 467, undefined].map(
      (subcode): Row => [190, subcode, "reconnect", "no longer accepts"],
    ),
    [102, undefined, "reconnect", "no longer accepts"],
    [10, undefined, "reconnect", "does not cover publishing"],
    [200, undefined, "reconnect", "does not cover publishing"],
    [299, undefined, "reconnect", "does not cover publishing"],
    [25, 2207050, "rejected", "Open the Instagram app"],
    [9, 2207042, "later", "24 hours"],
    [4, 2207051, "unknown", "suspected spam"],
    ...[4, 17, 32, 613].map((code): Row => [code, undefined, "later", "slow down"]),
    [80002, 2446079, "later", "slow down"],
    [9007, 2207027, "later", "still preparing"],
    [24, 2207008, "later", "could not prepare"],
    [24, 2207006, "later", "could not prepare"],
    [-2, 2207020, "later", "could not prepare"],
    [-2, 2207003, "later", "could not fetch"],
    [-1, 2207001, "unknown", "could not prepare"],
    [-1, 2207032, "unknown", "could not prepare"],
    [-1, 2207053, "unknown", "could not prepare"],
    [1, undefined, "unknown", "internal error"],
    [2, undefined, "unknown", "internal error"],
    [9004, 2207052, "later", "could not fetch"],
    [100, 2207077, "later", "could not fetch"],
    [100, 2207082, "later", "could not fetch"],
    [100, 33, "later", "cannot find the object"],
    [36000, 2207004, "rejected", "larger than 8 MB"],
    [36001, 2207005, "rejected", "only JPEG"],
    [36003, 2207009, "rejected", "4:5 and 1.91:1"],
    [352, 2207026, "rejected", "video because of its format"],
    [36004, 2207010, "rejected", "2,200 characters, 30 hashtags and 20 mentions"],
    [100, 2207023, "rejected", "type of post"],
    [100, 2207028, "rejected", "2 to 10 items"],
    [100, 2207040, "rejected", "20 tagged people"],
    [1, 2207057, "rejected", "outside the video"],
    [100, 2207035, "rejected", "product tags"],
    [100, 2207036, "rejected", "product tags"],
    [100, 2207037, "rejected", "product tags"],
    [100, 2207081, "rejected", "trial reels"],
    [20, 1772107, "unknown", "whether it accepted the post"],
  ])("%i/%s", (code, subcode, kind, says) => {
    const error = told(graph(code, subcode));
    expect(error).toMatchObject({ kind, refused: kind !== "unknown", message: expect.stringContaining(says) });
    expect(error.answer).toMatchObject({
      code: subcode === undefined ? `${code}` : `${code}/${subcode}`,
      message: "m",
    });
  });

  test("recognizes errors that only have a message", () => {
    expect(told(graph(100, undefined, "The user is not an Instagram Business")).kind).toBe("reconnect");
    expect(told(graph(-1, undefined, "An unknown error occurred"), 500).kind).toBe("unknown");
    expect(told(graph(9004, undefined, "Only photo or video can be accepted as media type.")).kind).toBe("later");
    expect(told(graph(9004, undefined, "The media could not be fetched from this URI")).kind).toBe("later");
    expect(told(graph(10, undefined, "Not enough permissions to post"), 403).kind).toBe("reconnect");
    expect(told(graph(341, undefined, "m", { is_transient: true })).kind).toBe("unknown");
  });

  test("treats a gateway's page as unknown and an invalid parameter as final", () => {
    expect(told(undefined, 502)).toMatchObject({ kind: "unknown", refused: false });
    expect(told(graph(100, undefined, "Invalid parameter"))).toMatchObject({ kind: "rejected" });
  });
});

test("waits for the minutes in the usage header", () => {
  const usage = { "17841": [{ type: "instagram", estimated_time_to_regain_access: 7 }, { type: "pages" }] };
  const headers = { "x-business-use-case-usage": JSON.stringify(usage) };
  expect(told(graph(80002, 2446079), 400, headers).retryAfterSeconds).toBe(420);
  expect(told(graph(80002, 2446079), 400, { "x-business-use-case-usage": "{" }).retryAfterSeconds).toBeUndefined();
});

test.each([
  ["2207026", "rejected", "format"],
  ["2207057", "rejected", "timestamp"],
  ["2207003", "later", "could not fetch the file"],
  ["2207082", "later", "could not process the file"],
  ["2207053", "later", "could not process the file"],
])("a container that failed with %s is %s", (code, kind, says) => {
  const error = containerError(`Error: Media upload has failed with error code ${code}`);
  expect(error).toMatchObject({ kind, message: expect.stringContaining(says) });
});
