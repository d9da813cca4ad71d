import { buildNext, bundle } from "../../bin/build.mjs";

/** Builds before any test, so that no product spends its start-up time on a build. */
export default async function build() {
  await bundle();
  await buildNext();
}
