import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import "../accounts";
import { registry } from "../metrics";
import "../schedules";
import "../webhooks";
import "./metrics";

const RULES = "deploy/prometheus/carillon.rules.yaml";
const PROMTOOL = ".cache/promtool/usr/bin/promtool";

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
type Dashboard = { panels: { targets: { expr: string }[] }[] };

const rules: Rules = parse(readFileSync(RULES, "utf8"));
const dashboard: Dashboard = JSON.parse(readFileSync("deploy/grafana/carillon.json", "utf8"));

const namesIn = (expressions: string[]) => [
  ...new Set(expressions.flatMap((expression) => expression.match(/\bcarillon_\w+/g) ?? [])),
];
const exported = new Set(registry.getMetricsAsArray().map(({ name }) => name));
const isExported = (name: string) => exported.has(name) || exported.has(name.replace(/_(bucket|sum|count)$/, ""));

const expressions = {
  "the alert rules": rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
  "the dashboard": dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
};

test.each(Object.entries(expressions))("every metric in %s is exported", (_, given) => {
  const names = namesIn(given);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !isExported(name))).toEqual([]);
});

test("docs/operate.md describes every metric, and no other", () => {
  const described = namesIn(
    readFileSync("docs/operate.md", "utf8")
      .split("\n")
      .filter((line) => line.startsWith("|")),
  );
  expect(described.toSorted()).toEqual([...exported].toSorted());
});

test.skipIf(!existsSync(PROMTOOL))("promtool accepts the alert rules, and they fire when they should", () => {
  execFileSync(PROMTOOL, ["check", "rules", RULES]);
  execFileSync(PROMTOOL, ["test", "rules", "deploy/prometheus/carillon.rules.test.yaml"]);
});
