import { allNetworks, type FormatName, type Formats, type Network } from "../../networks";
import { type Schemas, schemaRef } from "./schemas";
import type { OpenApiNetwork, OpenApiSchema } from "./types";

const FORMATS: FormatName[] = ["text", "image", "video", "carousel", "document"];

/**
 * Adds `platformSettings` as a union by `type`: the input that each network's schema accepts, and the stored form with
 * aliases resolved and defaults filled in.
 */
export function addSettings(schemas: Schemas): void {
  addUnion(
    schemas,
    "PlatformSettings",
    "input",
    "The settings of the account's network. `type` must match its platform.",
  );
  addUnion(
    schemas,
    "StoredPlatformSettings",
    "output",
    "The settings as stored, with aliases resolved and defaults filled in.",
  );
  allowDraftSettings(schemas);
}

/** A draft is stored however incomplete it is, so its settings may be missing or have a value that is not valid yet. */
function allowDraftSettings(schemas: Schemas): void {
  const types = [...new Set(allNetworks().flatMap(({ settingsTypes }) => settingsTypes))];
  const draft = schemas.add("DraftSettings", {
    description:
      "The settings of a draft, which are only checked when it is scheduled: any may be missing or not valid yet.",
    type: "object",
    properties: { type: { type: "string", enum: types } },
    required: ["type"],
    additionalProperties: true,
  });
  for (const name of ["NewPublication", "Publication"]) {
    const { properties = {}, ...publication } = schemas.components[name] ?? {};
    const { platformSettings = {}, ...others } = properties;
    const either = { anyOf: [platformSettings, draft] };
    schemas.replace(name, { ...publication, properties: { ...others, platformSettings: either } });
  }
}

function addUnion(schemas: Schemas, name: string, side: "input" | "output", description: string): void {
  const mapping: { [type: string]: string } = {};
  const oneOf = allNetworks().map((network) => {
    const types = side === "input" ? network.settingsTypes : network.settingsTypes.slice(0, 1);
    const ref = schemas.add(settingsName(network, side), settingsOf(schemas, network, side, types));
    for (const type of types) mapping[type] = ref.$ref ?? "";
    return ref;
  });
  schemas.replace(name, { description, oneOf, discriminator: { propertyName: "type", mapping } });
}

function settingsName(network: Network, side: "input" | "output"): string {
  return `${side === "input" ? "" : "Stored"}${network.name.replaceAll(" ", "")}Settings`;
}

function settingsOf(schemas: Schemas, network: Network, side: "input" | "output", types: string[]): OpenApiSchema {
  const { properties = {}, required = [] } = schemas.of(network.settings, side);
  return {
    type: "object",
    properties: { type: { type: "string", enum: types }, ...properties },
    // Responses omit empty texts.
    required: ["type", ...(side === "input" ? required : required.filter((name) => !isFreeText(properties[name])))],
    additionalProperties: false,
  };
}

function isFreeText({ type, enum: values }: OpenApiSchema = {}): boolean {
  return type === "string" && values === undefined;
}

/** The rules of each network, as validation reads them. */
export function networkEntries(): OpenApiNetwork[] {
  return allNetworks().map((network) => ({
    platform: network.platform,
    name: network.name,
    settings: schemaRef(settingsName(network, "input")).$ref ?? "",
    posts: network.posts ?? { max: 1 },
    destinations: network.destinations !== undefined,
    formats: network.variants
      ? Object.entries(network.variants.formats).flatMap(([value, formats]) =>
          formatFacts(formats, `${network.variants?.setting}: ${value}`),
        )
      : formatFacts(network.formats),
  }));
}

function formatFacts(formats: Formats<unknown>, when?: string) {
  return FORMATS.flatMap((format) => {
    const limits = formats[format]?.limits;
    return limits ? [{ ...(when ? { when } : {}), format, limits }] : [];
  });
}
