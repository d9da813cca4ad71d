import { bundle } from "../../bin/build.mjs";

/** The product's helper threads and processes run from the bundle, also in unit tests. */
export default async function setup() {
  await bundle();
}
