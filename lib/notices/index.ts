export { liveReader, mailReader, tellOfDisabledEndpoint } from "./readers";
