export { auditActions, type FoundLine, searchAudit } from "./audit-search";
export { type Found, findThings } from "./find";
export { isPreviewLinkOpen, linkDays, makePreviewLink, openPreviewLink } from "./preview-link";
export { lookAtSchedule, lookAtUser, noteLook, type SeenSchedule, type SeenUser } from "./views";
