export { api, isApiPath, openApiDocument } from "./app";
export type * from "./openapi/types";
