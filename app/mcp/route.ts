export { POST } from "../v1/[[...path]]/route";

export const dynamic = "force-dynamic";
