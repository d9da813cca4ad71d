export type { components, paths } from "./openapi";
