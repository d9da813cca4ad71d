export { api, isApiPath, isUpload, openApiDocument } from "./app";
export { limitEmbedded, type Refusal } from "./limit";
export { endLiveStreams } from "./live";
export { scopeDescriptions } from "./openapi/security";
export type * from "./openapi/types";
export { findRequest, type LoggedRequest, listRequests } from "./request-log";
export { usageOf } from "./usage";
