import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Reduces Meta's node descriptions (github.com/facebook/facebook-business-sdk-codegen, `api_specs/specs`) to what an adapter
 * uses, for validation by `graphApi`. Keeps all fields of a node and only the named edges (`-` is the node itself):
 *
 *     npx tsx lib/networks/testing/extract-nodes.ts <folder> <extract.json> --source <address> --date <YYYY-MM-DD> \
 *       "IGUser GET:- POST:media" "IGMedia GET:-"
 */

type Field = { name: string; type: string };
type Api = { method: string; endpoint?: string; params: (Field & { required: boolean })[] };

const [folder = "", to = "", , source = "", , date = "", ...wanted] = process.argv.slice(2);
if (wanted.length === 0)
  throw new Error("extract-nodes.ts <folder> <extract.json> --source <address> --date <day> <node>…");
const nodes = Object.fromEntries(wanted.map(nodeOf));
writeFileSync(to, `${JSON.stringify({ source, date, nodes }, null, 2)}\n`);

function nodeOf(words: string) {
  const [name = "", ...calls] = words.split(" ");
  const { fields = [], apis = [] }: { fields?: Field[]; apis?: Api[] } = JSON.parse(
    readFileSync(join(folder, `${name}.json`), "utf8"),
  );
  const edges = calls.map((call) => {
    const found = apis.find(({ method, endpoint = "-" }) => call === `${method}:${endpoint}`);
    if (!found) throw new Error(`${name} has no ${call}`);
    const parameters = found.params.map((one) => [one.name, `${one.type}${one.required ? "!" : ""}`]);
    return [call, Object.fromEntries(parameters)];
  });
  return [name, { fields: fields.map((field) => field.name), edges: Object.fromEntries(edges) }];
}
