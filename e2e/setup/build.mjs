import { buildNext, bundle } from "../../bin/build.mjs";

/** Before any test: a product that is started in one of them must not spend its time to become ready with building. */
export default async function build() {
  await bundle();
  await buildNext();
}
