export { liveReader, mailReader, queueDisabledEndpointMail } from "./readers";
