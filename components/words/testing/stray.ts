import ts from "typescript";
import { type Place, placeOfName, readMarkup } from "./markup";
import { GAP, hasWords, isProse } from "./prose";

export type Stray = { line: number; text: string };

/** The words in a source file that a person reads: they belong into `components/words` (ADR 19). */
export function strayWords(source: string, fileName: string): Stray[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const found: Stray[] = [];
  const walk = (node: ts.Node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push(...wordsAt(node).map((text) => ({ line, text: text.trim().replace(/\s+/g, " ") })));
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}

/** The words of this very node, not of what is within it. */
function wordsAt(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return hasWords(node.text) && !isInCodeElement(node) ? [node.text] : [];
  if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) {
    if (ts.isTaggedTemplateExpression(node.parent)) return markupIn(node.parent)?.texts.filter(hasWords) ?? [];
    const text = textOf(node);
    if (isNameOf(node)) return isShownName(node) ? [text] : [];
    return isStray(text, placeOf(node)) ? [text] : [];
  }
  return ts.isIdentifier(node) && isNameOf(node) && isShownName(node) ? [node.text] : [];
}

function isStray(text: string, place: Place): boolean {
  return place === "shown" ? hasWords(text) : place === "code" && isProse(text);
}

function textOf(node: ts.TemplateExpression | ts.StringLiteralLike): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(GAP);
}

/** What an `html` template holds; undefined where another function takes the template. */
function markupIn(node: ts.TaggedTemplateExpression): ReturnType<typeof readMarkup> | undefined {
  if (node.tag.getText() !== "html") return undefined;
  return readMarkup(textOf(node.template), isAttribute(node));
}

/** Whether markup is put into a tag of other markup. */
function isAttribute(node: ts.TaggedTemplateExpression): boolean {
  return placeOf(node) === "hidden";
}

/** Where a value ends: seen by a person, never, or nobody can tell from here. */
function placeOf(node: ts.Node): Place {
  const { parent } = node;
  if (ts.isJsxAttribute(parent)) return placeOfName(parent.name.getText());
  if (ts.isJsxExpression(parent) && !ts.isJsxAttribute(parent.parent)) {
    return isInCodeElement(parent) ? "hidden" : "shown";
  }
  if (ts.isTemplateSpan(parent)) return placeOfGap(parent);
  if (ts.isPropertyAssignment(parent)) {
    return placeOf(parent.parent) === "hidden" ? "hidden" : placeOfName(nameOf(parent.name));
  }
  if (ts.isBindingElement(parent)) return placeOfName(nameOf(parent.propertyName ?? parent.name));
  if (ts.isBinaryExpression(parent)) return placeInOperation(parent);
  if (ts.isConditionalExpression(parent)) return placeInChoice(node, parent);
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return placeInCall(node, parent);
  if (ts.isPropertyAccessExpression(parent)) return SEARCHES.has(parent.name.text) ? "hidden" : "code";
  if (isLookup(node, parent) || isStatement(parent)) return "hidden";
  return isPassedOn(parent) ? placeOf(parent) : "code";
}

function placeOfGap(span: ts.TemplateSpan): Place {
  const template = span.parent;
  if (!ts.isTaggedTemplateExpression(template.parent)) return placeOf(template);
  return markupIn(template.parent)?.gaps[template.templateSpans.indexOf(span)] ?? "code";
}

function placeInOperation(operation: ts.BinaryExpression): Place {
  const { left, operatorToken } = operation;
  if (operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return ts.isPropertyAccessExpression(left) ? placeOfName(left.name.text) : "code";
  return JOINING.has(operatorToken.kind) ? placeOf(operation) : "hidden";
}

/** A choice between one and more is one between words. */
function placeInChoice(node: ts.Node, choice: ts.ConditionalExpression): Place {
  const { condition } = choice;
  if (condition === node) return "hidden";
  const isCount = ts.isBinaryExpression(condition) && condition.right.getText() === "1";
  return isCount ? "shown" : placeOf(choice);
}

/** Operators whose result is what stands beside them; the others compare. */
const JOINING = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
]);

/** Functions that look for a text. */
const SEARCHES = new Set(["includes", "indexOf", "startsWith", "endsWith", "split", "has", "get", "getAll", "test"]);
/** Functions that hand a text to a program or to whoever runs this service, and that show what a program reads. */
const PROGRAMS = new Set([
  ...["Error", "TypeError", "RangeError", "json", "matchMedia", "querySelector", "querySelectorAll", "closest"],
  ...["createElement", "addEventListener", "removeEventListener", "buttonClass", "code"],
]);
/** Functions that keep something under a name, which comes first. */
const STORES = new Set(["set", "append", "delete", "setAttribute", "setItem", "getItem", "setHeader"]);

function placeInCall(node: ts.Node, { expression, arguments: given }: ts.CallExpression | ts.NewExpression): Place {
  const called = expression.getText();
  const name = called.split(".").at(-1) ?? "";
  if (called.endsWith(".join") || called.startsWith("words.")) return "shown";
  if (SEARCHES.has(name) || PROGRAMS.has(name) || /^(log|console)\./.test(called)) return "hidden";
  return STORES.has(name) && given?.[0] === node ? "hidden" : "code";
}

/** Names of modules, of fields, and values that are looked for. */
function isLookup(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node;
  return ts.isCaseClause(parent) || ts.isLiteralTypeNode(parent);
}

function isStatement(parent: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isExternalModuleReference(parent) ||
    ts.isExpressionStatement(parent)
  );
}

function isPassedOn(parent: ts.Node): boolean {
  return (
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isObjectLiteralExpression(parent) ||
    ts.isSpreadElement(parent) ||
    ts.isSpreadAssignment(parent) ||
    ts.isJsxExpression(parent)
  );
}

function isNameOf(node: ts.Node): node is ts.Identifier | ts.StringLiteral {
  const { parent } = node;
  return (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node;
}

/** Names of fields are words where a list of names and values is handed to what draws it, or where they hold a space. */
function isShownName(node: ts.Identifier | ts.StringLiteral): boolean {
  const isHeld = ts.isPropertyAssignment(node.parent) && placeOf(node.parent.parent) !== "hidden";
  const isDrawn = ts.isJsxExpression(node.parent.parent.parent);
  return isHeld && /^\p{Lu}/u.test(node.text) && (isDrawn || /\s/.test(node.text)) && isProse(node.text);
}

function nameOf(name: ts.Node): string {
  return ts.isStringLiteralLike(name) || ts.isIdentifier(name) ? name.text : "";
}

/** Names of the API and commands stand in `code`; they are the same in every language. */
function isInCodeElement({ parent }: ts.Node): boolean {
  return ts.isJsxElement(parent) && /^(code|pre)$/.test(parent.openingElement.tagName.getText());
}
