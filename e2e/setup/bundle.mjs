import { bundle } from "../../bin/build.mjs";

/** Helpers of the product that are threads and processes of their own run from the bundle, in tests too. */
export default async function setup() {
  await bundle();
}
