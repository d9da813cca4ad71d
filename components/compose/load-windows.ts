/**
 * Loads what the composer shows only when it is opened. The only place that imports it, because the bundler would make a copy
 * of the chunk for each kind of import.
 */
export const loadWindows = () => import("./windows");
