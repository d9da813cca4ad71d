/**
 * The part of OpenAPI 3.1 (spec.openapis.org/oas/v3.1.1) that the document uses. The code that writes it and the code that
 * displays it share these types.
 */
export type OpenApiSchema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: { [name: string]: OpenApiSchema };
  required?: string[];
  additionalProperties?: boolean | OpenApiSchema;
  items?: OpenApiSchema;
  oneOf?: OpenApiSchema[];
  anyOf?: OpenApiSchema[];
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  discriminator?: { propertyName: string; mapping: { [value: string]: string } };
};

export type Examples = { [name: string]: { summary?: string; value: unknown } };
export type OpenApiContent = { [type: string]: { schema: OpenApiSchema; examples?: Examples } };
export type Header = { description: string; schema: OpenApiSchema };
export type Ref = { $ref: string };

export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: OpenApiSchema;
  example?: unknown;
};

export type OpenApiResponse = { description: string; headers?: { [name: string]: Ref }; content?: OpenApiContent };

export type OpenApiOperation = {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: { [scheme: string]: string[] }[];
  parameters?: (Parameter | Ref)[];
  requestBody?: { required: boolean; content: OpenApiContent };
  responses: { [status: string]: OpenApiResponse };
  /** The call can make something public on a network, at once or at a later time. */
  "x-publishes"?: true;
};

/** A request that Carillon sends: its body, and the headers that authenticate it. */
export type OpenApiWebhook = {
  operationId: string;
  tags: [string];
  summary: string;
  security: [{ webhookSignature: [] }];
  parameters: Parameter[];
  requestBody: { required: true; content: OpenApiContent };
  responses: { [status: string]: { description: string } };
};

export type OpenApiNetwork = {
  platform: string;
  name: string;
  settings: string;
  posts: { max: number; chain?: "reply" | "sequence" };
  destinations: boolean;
  formats: { when?: string; format: string; limits: object }[];
};

export type OpenApi = {
  openapi: "3.1.1";
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: { [path: string]: { [method: string]: OpenApiOperation } };
  webhooks: { [type: string]: { post: OpenApiWebhook } };
  components: {
    schemas: { [name: string]: OpenApiSchema };
    parameters: { [name: string]: Parameter };
    headers: { [name: string]: Header };
    responses: { [name: string]: OpenApiResponse };
    securitySchemes: { [name: string]: object };
  };
  /** The rules of each network: the data that validation reads. */
  "x-networks": OpenApiNetwork[];
};
