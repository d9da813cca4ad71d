import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { formOf, type RequestCheck } from "../../testing";

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

/** Every call may carry its token here. */
const EVERYWHERE = new Set(["access_token"]);

/** Validates requests against Meta's own collection of Threads requests (`described.json`): path, parameters and fields. */
export const described: RequestCheck = async (sent) => {
  const path = sent.path.replace(/^\/v1\.0/, "").replace(/^\/\d+$/, "/{id}");
  const known = requests.find((one) => one.method === sent.method && one.path === path);
  if (!known) return ["no such request"];
  const body = sent.body.length > 0 ? Object.keys(await formOf(sent)) : [];
  const names = [...sent.query.keys(), ...body].filter((name) => !EVERYWHERE.has(name));
  const fields = known.fields ? (sent.query.get("fields")?.split(",") ?? []) : [];
  return [
    ...names.filter((name) => !known.parameters.includes(name)).map((name) => `no parameter ${name}`),
    ...fields.filter((field) => !known.fields?.includes(field)).map((field) => `no field ${field}`),
  ];
};
