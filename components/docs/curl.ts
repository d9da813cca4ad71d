import type { OpenApi, OpenApiOperation, Parameter } from "@/lib/api";

type Call = { path: string; method: string; operation: OpenApiOperation };

/** An operation's first example as a curl command; `$TOKEN` is the access token. */
export function curlOf(document: OpenApi, { path, method, operation }: Call): string {
  const parameters = (operation.parameters ?? []).flatMap((one) => ("in" in one ? [one] : []));
  const url = `${document.servers[0]?.url}${pathOf(path, parameters)}${queryOf(parameters)}`;
  const parts = [
    `curl ${method === "get" || method === "post" ? "" : `-X ${method.toUpperCase()} `}${quoted(url)}`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headersOf(operation, parameters),
    ...bodyOf(method, operation),
  ];
  return parts.join(" \\\n  ");
}

function pathOf(path: string, parameters: Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => String(exampleOf(parameters, name)));
}

function exampleOf(parameters: Parameter[], wanted: string): unknown {
  return parameters.find(({ name }) => name === wanted)?.example ?? "";
}

function queryOf(parameters: Parameter[]): string {
  const given = parameters.filter((one) => one.in === "query" && one.example !== undefined);
  const query = given.map(
    ({ name, example }) => `${name}=${encodeURIComponent(String(example)).replaceAll("%3A", ":")}`,
  );
  return query.length > 0 ? `?${query.join("&")}` : "";
}

/** A partner's call on behalf of a user shows the user header. */
function headersOf({ security, parameters: all = [] }: OpenApiOperation, parameters: Parameter[]): string[] {
  const own = parameters.filter((one) => one.in === "header" && one.example !== undefined);
  const isPartners =
    security.length === 1 && all.some((one) => "$ref" in one && one.$ref.endsWith("/ConnectExternalUserId"));
  return [
    ...own.map(({ name, example }) => `-H ${quoted(`${name}: ${example}`)}`),
    ...(isPartners ? ['-H "X-Connect-External-User-Id: customer-42"'] : []),
  ];
}

function bodyOf(method: string, { requestBody }: OpenApiOperation): string[] {
  const [[type, { examples = {} }] = ["", {}]] = Object.entries(requestBody?.content ?? {});
  const value = Object.values(examples)[0]?.value;
  if (value === undefined) return method === "post" ? ["-X POST"] : [];
  if (type === "multipart/form-data") {
    return Object.entries(value as { [part: string]: string }).map(([part, file]) => `-F ${part}=@${file}`);
  }
  if (type !== "application/json") {
    return [`-H "Content-Type: ${type}"`, `--data-binary '${String(value).replaceAll("'", "'\\''")}'`];
  }
  const json = JSON.stringify(value, null, 2).replaceAll("\n", "\n  ").replaceAll("'", "'\\''");
  return ['-H "Content-Type: application/json"', `-d '${json}'`];
}

function quoted(text: string): string {
  return /[^\w:/.@-]/.test(text) ? `"${text}"` : text;
}
