export { GET } from "../../../v1/[[...path]]/route";

export const dynamic = "force-dynamic";
