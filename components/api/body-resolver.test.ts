import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { type BodyForm, bodyResolver, refusalsOf } from "./body-resolver";
import { ApiFailure } from "./client";

type Values = { url: string; kinds: string[]; quiet: { to: string } };

const good: Values = { url: "https://a.example", kinds: ["a"], quiet: { to: "07:00" } };
const Body = z.strictObject({
  url: z.string().min(8),
  kinds: z.array(z.enum(["a", "b"])).min(1),
  quiet: z.strictObject({ to: z.string().regex(/^\d\d:\d\d$/, "must be a time of day") }),
  enabled: z.boolean(),
});
const form: BodyForm<Values> = {
  fields: ["url", "kinds", "quiet.to"],
  schema: async () => Body,
  bodyOf: (values) => ({ ...values, enabled: true }),
};

/** Returns the message shown at each field. */
async function told(values: Values, more: Partial<BodyForm<Values>> = {}) {
  const options = { fields: {}, shouldUseNativeValidation: false };
  const { errors, values: passed } = await bodyResolver({ ...form, ...more })(values, undefined, options);
  const { url, kinds, quiet } = errors;
  const messages = { url: url?.message, kinds: kinds?.message, to: quiet?.to?.message };
  return { passes: Object.keys(passed).length > 0, ...messages };
}

describe("validating a form with the schema of its body", () => {
  test("accepts valid values unchanged", async () => {
    expect(await told(good)).toEqual({ passes: true });
  });

  test("shows each problem at the field that its path begins with, in the API's words", async () => {
    expect(await told({ url: "http", kinds: ["a", "x"], quiet: { to: "7" } })).toEqual({
      passes: false,
      url: "url must have at least 8 characters",
      kinds: "kinds[1] must be a or b",
      to: "quiet.to must be a time of day",
    });
  });

  test("does not match a field that merely shares a prefix", async () => {
    const bodyOf = () => ({ ...good, enabled: true, urls: 1 });
    expect(await told(good, { bodyOf })).toEqual({ passes: true });
  });

  test("leaves problems without a field to the API", async () => {
    expect(await told(good, { bodyOf: (values) => ({ ...values, enabled: 1 }) })).toEqual({ passes: true });
  });

  test("lets the form choose the field and the message, and shows its own missing values first", async () => {
    const wrong = { ...good, url: "http", kinds: [] };
    expect(await told(wrong, { says: ({ path }) => (path === "url" ? "Give the address." : undefined) })).toEqual({
      passes: false,
      url: "Give the address.",
      kinds: "kinds must have at least 1 entry",
    });
    expect(await told(wrong, { fieldOf: (path) => (path === "kinds" ? "quiet.to" : undefined) })).toEqual({
      passes: false,
      url: "url must have at least 8 characters",
      to: "kinds must have at least 1 entry",
    });
    expect(await told(wrong, { lacksOf: () => ({ url: "It is there already." }) })).toEqual({
      passes: false,
      url: "It is there already.",
      kinds: "kinds must have at least 1 entry",
    });
  });

  test("lets the API validate if the schema cannot be loaded, but still reports missing values", async () => {
    const schema = () => Promise.reject(new Error("no such chunk"));
    expect(await told({ ...good, url: "" }, { schema })).toEqual({ passes: true });
    expect(await told({ ...good, url: "" }, { schema, lacksOf: () => ({ url: "Give it." }) })).toEqual({
      passes: false,
      url: "Give it.",
    });
  });

  test("loads nothing before the first validation", () => {
    const schema = vi.fn(async () => Body);
    bodyResolver({ ...form, schema });
    expect(schema).not.toHaveBeenCalled();
  });
});

describe("errors from the API", () => {
  const refused = (status: number, message: string) => {
    const { at, rest } = refusalsOf(form, new ApiFailure(status, message));
    return { ...Object.fromEntries(at), rest };
  };

  test.each<[message: string, told: object]>([
    ["url does not lead to a public address", { url: "url does not lead to a public address", rest: "" }],
    [
      "url is bad; url is worse; kinds[0] must be a or b; quiet.to: Nobody is up; enabled must be a boolean",
      {
        url: "url is bad",
        kinds: "kinds[0] must be a or b",
        "quiet.to": "quiet.to: Nobody is up",
        rest: "enabled must be a boolean",
      },
    ],
    ["urls are bad; The body is not valid JSON", { rest: "urls are bad; The body is not valid JSON" }],
    ["quiet must be an object", { rest: "quiet must be an object" }],
  ])("%s", (message, told) => {
    expect(refused(400, message)).toEqual(told);
  });

  test("keeps a message without a field as it is", () => {
    const message = "There are 50 webhooks already; url or not";
    expect(refused(409, message)).toEqual({ rest: message });
    expect(refusalsOf(form, new Error(message)).rest).toBe(message);
  });
});
