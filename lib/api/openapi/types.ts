/** As much of OpenAPI 3.1 (spec.openapis.org/oas/v3.1.1) as the document uses: what writes it and what shows it agree by these. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: { [name: string]: Schema };
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
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
export type Content = { [type: string]: { schema: Schema; examples?: Examples } };
export type Header = { description: string; schema: Schema };
export type Ref = { $ref: string };

export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

export type Answer = { description: string; headers?: { [name: string]: Ref }; content?: Content };

export type Operation = {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: { [scheme: string]: string[] }[];
  parameters?: (Parameter | Ref)[];
  requestBody?: { required: true; content: Content };
  responses: { [status: string]: Answer };
};

/** A request that Carillon sends: what its body is, and the headers that prove it. */
export type Webhook = {
  operationId: string;
  tags: [string];
  summary: string;
  security: [{ webhookSignature: [] }];
  parameters: Parameter[];
  requestBody: { required: true; content: Content };
  responses: { [status: string]: { description: string } };
};

export type NetworkFacts = {
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
  paths: { [path: string]: { [method: string]: Operation } };
  webhooks: { [type: string]: { post: Webhook } };
  components: {
    schemas: { [name: string]: Schema };
    parameters: { [name: string]: Parameter };
    headers: { [name: string]: Header };
    responses: { [name: string]: Answer };
    securitySchemes: { [name: string]: object };
  };
  /** What each network takes: the data that validation reads. */
  "x-networks": NetworkFacts[];
};
