export { liveReader, mailReader, queueDisabledEndpointMail, queueEndingPermissionMails } from "./readers";
