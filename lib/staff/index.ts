export { type AuditEntry, auditActions, searchAudit } from "./audit-search";
export { type StaffSearchResult, searchAsStaff } from "./find";
export { createPreviewLink, isPreviewLinkOpen, linkDays, openPreviewLink } from "./preview-link";
export {
  auditView,
  listPostsToLookAt,
  type PostToLookAt,
  type StaffScheduleView,
  type StaffUserView,
  scheduleStatuses,
  viewSchedule,
  viewUser,
} from "./views";
