import { z } from "zod";
import { env } from "../../env";
import type { NamedRoute } from "../route";
import { apiOverview, nounsOf } from "./descriptions";
import { addSettings, networkEntries } from "./networks";
import { operationOf } from "./operation";
import { sharedHeaders, sharedParameters, sharedResponses } from "./parts";
import { publicOperations } from "./public";
import { documentOperations } from "./public-documents";
import { mediaOperations } from "./public-media";
import { oauthOperations } from "./public-oauth";
import { Schemas } from "./schemas";
import { securitySchemes } from "./security";
import type { OpenApi } from "./types";
import { webhooksOf } from "./webhooks";

/** SPEC, "Errors": every error response, except those of the gateway. */
const ErrorView = z
  .object({
    error: z.string().meta({ description: "All problems, one sentence each, separated by `; `" }),
  })
  .meta({ id: "Error", description: "Why a request failed" });

const GatewayErrorView = z
  .object({ message: z.string() })
  .meta({ id: "GatewayError", description: "Why the gateway in front of the service rejected a request" });

/** The endpoints outside of the routes. A test compares these lists with what the app answers. */
const BESIDE_ROUTES = [oauthOperations, documentOperations, mediaOperations];

/** Builds the OpenAPI 3.1 document from the routes' declarations, the networks' data and the schemas that parse. */
export function makeDocument(routes: NamedRoute[]): OpenApi {
  const schemas = new Schemas();
  for (const shape of [ErrorView, GatewayErrorView]) schemas.of(shape, "output");
  const paths: OpenApi["paths"] = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, schemas) };
  }
  for (const { path, method, operation } of publicOperations(
    BESIDE_ROUTES.flatMap((list) => list()),
    schemas,
  ))
    paths[path] = { [method]: operation };
  const webhooks = webhooksOf(schemas);
  addSettings(schemas);
  const sorted = Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openapi: "3.1.1",
    info: {
      title: "Carillon",
      version: "1",
      description: apiOverview,
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: env.baseUrl }],
    tags: nounsOf(Object.keys(paths)).map(({ tag, description }) => ({ name: tag, description })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(sorted),
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: sharedResponses,
      securitySchemes: securitySchemes(),
    },
    "x-networks": networkEntries(),
  };
}
