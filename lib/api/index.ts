export { api, isApiPath, openApiDocument } from "./app";
export { endLiveStreams } from "./live";
export type * from "./openapi/types";
