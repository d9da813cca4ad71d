export { tellOfDisabledEndpoint } from "./endpoint";
export { mailReader } from "./reader";
