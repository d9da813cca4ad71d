import { measureApi } from "./api/measure";
import { measureDispatch } from "./dispatch/measure";
import { measurePages } from "./pages/measure";
import { measureRest } from "./rest/measure";
import { measureScale } from "./scale/measure";
import { measureUpload } from "./upload/measure";

/** The benchmarks of `npm run bench` by the names of their folders. Each starts its own services, with separate data and ports. */
export const measures: { [name: string]: (options: { short: boolean }) => Promise<void> } = {
  api: measureApi,
  dispatch: measureDispatch,
  pages: measurePages,
  rest: measureRest,
  scale: measureScale,
  upload: measureUpload,
};
