import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { formFieldsOf, type NetworkSchema, type RequestCheck, schemaChecker } from "../../testing";

const descriptionSchema = z.object({
  requests: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      parameters: z.array(z.string()),
      fields: z.array(z.string()).optional(),
    }),
  ),
});

const collection = descriptionSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, "described.json"), "utf8")),
);

/** Additions to the collection: …/threads/create-posts/location-tagging (`q`) and …/threads/reference/location-search (`query`). */
const locationSearch = {
  method: "GET",
  path: "/location_search",
  parameters: ["q", "query", "latitude", "longitude", "fields"],
  fields: ["id", "name", "address", "city", "country", "latitude", "longitude", "postal_code"],
};

const requests = [...collection.requests, locationSearch];

const option = { type: "string", minLength: 1, maxLength: 25 };
/** The JSON of parameters, as …/threads/create-posts/polls and the collection's example have it. */
const values: { [parameter: string]: NetworkSchema } = {
  poll_attachment: {
    type: "object",
    properties: { option_a: option, option_b: option, option_c: option, option_d: option },
    required: ["option_a", "option_b"],
  },
};
const validate = schemaChecker({});

/** A parameter whose value is JSON must have a described form. */
function valueProblems([name, value]: [name: string, value: string]): string[] {
  const form = values[name];
  if (form) return validate(form, JSON.parse(value)).map((problem) => `${name}: ${problem}`);
  return /^[[{]/.test(value) && name !== "text" ? [`the form of ${name} is not described`] : [];
}

/** Every call may carry its token here. */
const EVERYWHERE = new Set(["access_token"]);

/** Validates requests against Meta's own collection of Threads requests (`described.json`): path, parameters, their JSON, and fields. */
export const described: RequestCheck = async (sent) => {
  const path = sent.path.replace(/^\/v1\.0/, "").replace(/^\/\d+$/, "/{id}");
  const known = requests.find((one) => one.method === sent.method && one.path === path);
  if (!known) return ["no such request"];
  const form = sent.body.length > 0 ? await formFieldsOf(sent) : {};
  const body = Object.entries(form).flatMap(([name, all]) => all.map((value): [string, string] => [name, value]));
  const given = [...sent.query, ...body];
  const names = given.map(([name]) => name).filter((name) => !EVERYWHERE.has(name));
  const fields = known.fields ? (sent.query.get("fields")?.split(",") ?? []) : [];
  return [
    ...given.flatMap(valueProblems),
    ...names.filter((name) => !known.parameters.includes(name)).map((name) => `no parameter ${name}`),
    ...fields.filter((field) => !known.fields?.includes(field)).map((field) => `no field ${field}`),
  ];
};
