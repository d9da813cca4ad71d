export { tellOfDisabledEndpoint } from "./endpoint";
export { liveReader } from "./live";
export { mailReader } from "./reader";
