import { z } from "zod";
import type { OpenApiSchema } from "./types";

/** The side of a schema: what a request can send, or what an answer contains. */
type Side = "input" | "output";

/**
 * Builds JSON schemas from zod's. A shape with an `id` in its `.meta` becomes a component of that name, referenced with
 * `$ref`.
 */
export class Schemas {
  readonly components: { [name: string]: OpenApiSchema } = {};

  of(shape: z.ZodType, side: Side): OpenApiSchema {
    // Wrapped, because zod inlines a named shape at the root.
    const made = z.toJSONSchema(z.object({ it: shape }), { io: side, unrepresentable: "any" });
    for (const [name, schema] of Object.entries(made.$defs ?? {})) this.add(name, tidy(schema as OpenApiSchema));
    const { it } = made.properties as { [name: string]: OpenApiSchema };
    return tidy(it ?? {});
  }

  /** @throws if another shape already has the name, for example because input and output differ */
  add(name: string, schema: OpenApiSchema): OpenApiSchema {
    const known = this.components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two shapes have the name ${name}`);
    this.components[name] = schema;
    return schemaRef(name);
  }

  /** Replaces a component, to which other shapes refer, with a more detailed schema. */
  replace(name: string, schema: OpenApiSchema): void {
    this.components[name] = schema;
  }
}

export function schemaRef(name: string): OpenApiSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Removes zod's default bounds of integers, and turns `anyOf` with null into a second type. */
function tidy(schema: OpenApiSchema): OpenApiSchema {
  const { minimum, maximum, anyOf, ...rest } = schema;
  const [first, second, ...others] = anyOf ?? [];
  const isNullable = first?.type && second?.type === "null" && others.length === 0;
  return {
    ...(isNullable ? { ...within(first), type: [first.type, "null"].flat() } : anyOf && { anyOf: anyOf.map(tidy) }),
    ...within(rest),
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? { minimum } : {}),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? { maximum } : {}),
  } as OpenApiSchema;
}

function within(schema: OpenApiSchema): OpenApiSchema {
  const { $ref, properties, items, oneOf, additionalProperties } = schema;
  return {
    ...schema,
    ...($ref ? { $ref: $ref.replace("#/$defs/", "#/components/schemas/") } : {}),
    ...(properties ? { properties: mapValues(properties, tidy) } : {}),
    ...(items ? { items: tidy(items) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(tidy) } : {}),
    ...(typeof additionalProperties === "object" ? { additionalProperties: isEmpty(additionalProperties) } : {}),
  };
}

/** `{}` allows everything, like `true`. */
function isEmpty(schema: OpenApiSchema): true | OpenApiSchema {
  return Object.keys(schema).length === 0 ? true : tidy(schema);
}

function mapValues<V, W>(object: { [name: string]: V }, change: (value: V) => W): { [name: string]: W } {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
