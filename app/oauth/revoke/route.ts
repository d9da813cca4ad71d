export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "../../v1/[[...path]]/route";

export const dynamic = "force-dynamic";
