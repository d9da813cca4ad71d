export { auditActions, type FoundLine, searchAudit } from "./audit-search";
export { type Found, findThings } from "./find";
export { noteLook } from "./looks";
export { isPreviewLinkOpen, linkDays, makePreviewLink, openPreviewLink } from "./preview-link";
export { lookAtSchedule, type SeenSchedule } from "./schedule";
export { lookAtUser, type SeenUser } from "./user";
