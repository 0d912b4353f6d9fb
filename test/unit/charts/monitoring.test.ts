import { routes } from '../../support/snapshot.ts';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { rememberChecks } from '../../../src/operator/check-freshness.ts';
import { countsOf } from '../../../src/operator/object-counts.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { createApiMetrics } from '../../../src/api-server/metrics.ts';
import { createOperatorMetrics } from '../../../src/operator/metrics.ts';
import { refusalCodes } from '../../../src/rules/codes/refusal-codes.ts';
import { createRedirectorMetrics } from '../../../src/redirector/metrics.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: unknown;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string; readonly datasource: unknown }[];
}

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const files = 'charts/projectdomain/files';
const { groups } = parse(read(`${files}/alerts.yaml`)) as { groups: readonly { name: string; rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(read(`${files}/dashboard.json`)) as {
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
};
const sections = new Map(
  read('docs/runbook.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);

/** What the three processes print once each thing they count has happened; label values by metric and label. */
async function printed(): Promise<ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>> {
  const staleness = () => new Map([['domains', 1]]);
  const caches = { staleness, objects: staleness };
  const stores = createOperatorStores(routes, () => undefined);
  const operator = createOperatorMetrics({
    isReady: () => true,
    isLeading: () => true,
    certManagerUnavailable: () => false,
    ...countsOf(stores, { ...rememberChecks(stores.domains), now: () => 0 }),
    ...caches,
    driftInterval: () => 900_000,
    stretch: () => ['max', 'mean'].map((statistic) => ({ labels: { controller: 'projectDomain', statistic }, value: 1 })),
    queueAges: () => [{ labels: { controller: 'projectDomain', priority: 'high' }, value: 1 }],
    slow: () => new Map([['projectDomain', 1]]),
    depth: () => new Map([['projectDomain', 1]]),
  });
  stores.orderLedgers.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'OrderLedger',
    metadata: { name: 'ca', resourceVersion: '1' },
    spec: { accounts: [{ name: 'main', used: 0, left: 300 }] },
  });
  for (const failed of [true, false]) operator.reconcile({ name: 'projectDomain', failed, ms: 1 });
  operator.dnsCheck({ ms: 1, packetsTo: { root: 1, registry: 1, 'dns-host': 1, resolver: 1 } });
  for (const silence of [null, 'timeout']) operator.vantageAnswer({ vantagePoint: 'b', silence });
  for (const result of ['Revoked', 'AccountGone', 'Unavailable', 'Refused'])
    operator.revocation({ reason: 'superseded', result });
  for (const code of Object.keys(refusalCodes)) operator.refusedWrite({ kind: 'Ingress', code });
  const api = createApiMetrics({ lookups: () => new Map(),
    writes: () => new Map([['waiting', 1]]), isReady: () => true, ...caches });
  for (const status of [200, 400, 302, 500]) api.served({ route: 'listDomains', status, ms: 1 });
  api.served({ route: 'authorize uploads', status: 200, ms: 1 });
  for (const degraded of [true, false]) api.decided({ kind: 'allowed', degraded, banBegins: false });
  api.quotaReached({ window: 'day', percent: 80 });
  api.shadowed({ plan: 'pro', kind: 'limited' });
  for (const outcome of ['ok', 'timeout'] as const) api.attempted({ outcome, ms: 1 });
  const redirector = createRedirectorMetrics({ isReady: () => true, ...caches });
  for (const status of [301, 503]) redirector.served(status);
  const request = { verb: 'list', resource: 'projects', ms: 1 };
  for (const figures of [operator, api, redirector])
    for (const code of ['2xx', 'none']) figures.kubeRequest({ ...request, code });
  const found = new Map<string, Map<string, Set<string>>>();
  for (const { text } of [operator, api, redirector]) readSeries(await text(), found);
  return found;
}

function readSeries(text: string, found: Map<string, Map<string, Set<string>>>): void {
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const values = found.get(name) ?? new Map<string, Set<string>>();
    found.set(name, values);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      values.set(label, (values.get(label) ?? new Set()).add(value));
    }
  }
}

let metrics: Awaited<ReturnType<typeof printed>>;
beforeAll(async () => {
  metrics = await printed();
});

/** What Prometheus itself adds to each series it reads from Pods behind a Service, and the series it makes of a target. */
const targetLabels = ['namespace', 'pod', 'job', 'instance', 'service', 'container', 'endpoint'];
const ownSeries = ['up'];
const words = new Set(
  ['and or unless bool offset', 'sum max min count rate increase changes absent clamp_min min_over_time histogram_quantile']
    .join(' ')
    .split(' '),
);
const grouping = /\b(by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const selector = /\b([a-z_:]\w*)\{([^}]*)\}/g;
const list = (text: string) => text.split(',').flatMap((part) => part.trim() || []);

/** Every word of an expression that is neither PromQL nor a metric or label that exists; this is no parser of PromQL. */
function strangers(expr: string): readonly string[] {
  const labels = new Set(['le', ...targetLabels, ...[...metrics.values()].flatMap((values) => [...values.keys()])]);
  const grouped = [...expr.matchAll(grouping)].flatMap(([, , names = '']) => list(names));
  const bare = expr
    .replaceAll(selector, ' $1 ')
    .replaceAll(grouping, ' ')
    .replaceAll(/\[[^\]]*\]|\boffset \d+[smhd]/g, ' ');
  const names = bare.match(/[a-z_:]\w*/gi) ?? [];
  return [
    ...grouped.filter((label) => !labels.has(label)),
    ...names.filter((name) => !words.has(name) && !metrics.has(name) && !ownSeries.includes(name)),
    ...[...expr.matchAll(selector)].flatMap(([, name = '', matchers = '']) => strangeMatchers(name, matchers)),
  ];
}

/** Matchers that fit no series of the metric. */
function strangeMatchers(metric: string, matchers: string): readonly string[] {
  return [...matchers.matchAll(/(\w+)(!?=~?|!~)"([^"]*)"/g)].flatMap(([matcher, label = '', operator = '', value = '']) => {
    if (targetLabels.includes(label)) return [];
    const known = [...(metrics.get(metric)?.get(label) ?? [])];
    const wanted = operator.endsWith('~') ? value.split('|') : [value];
    const isKnown = (pattern: string) => known.some((one) => new RegExp(`^(?:${pattern})$`).test(one));
    return wanted.every(isKnown) ? [] : [`${metric}{${matcher}}`];
  });
}

function isBalanced(expr: string): boolean {
  let depth = 0;
  for (const bracket of expr.match(/[()]/g) ?? []) {
    depth += bracket === '(' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

describe('the reading of expressions', () => {
  it.each<[sentence: string, expr: string, found: readonly string[]]>([
    ['knows what is printed', 'sum by (state) (rate(projectdomain_reconcile_total{result="error"}[5m])) > 0.1', []],
    ['finds a metric that is not printed', 'projectdomain_reconciles_total > 1', ['projectdomain_reconciles_total']],
    ['finds a metric that is not printed, with labels', 'projectdomain_nothing{}', ['projectdomain_nothing']],
    ['finds a bucket of what is no histogram', 'projectdomain_bans_total_bucket', ['projectdomain_bans_total_bucket']],
    ['finds a label nobody prints', 'sum by (colour) (up)', ['colour']],
    ['finds a value nobody prints', 'projectdomain_domains{state="live"}', ['projectdomain_domains{state="live"}']],
    ['finds one of several', 'projectdomain_domains{state=~"Live|Dead"}', ['projectdomain_domains{state=~"Live|Dead"}']],
    ['finds a function that does not exist', 'average(up)', ['average']],
  ])('%s', (_, expr, found) => {
    expect(strangers(expr)).toEqual(found);
  });
});

describe('the alerts', () => {
  it.each(alerts.map((alert) => [alert.alert, alert] as const))('%s uses only what exists', (_, { expr }) => {
    expect(strangers(expr)).toEqual([]);
    expect(isBalanced(expr)).toBe(true);
  });

  it.each(alerts.map((alert) => [alert.alert, alert] as const))('%s says all that an alert is to say', (name, alert) => {
    expect(name).toMatch(/^ProjectDomain[A-Z]\w+$/);
    expect(['critical', 'warning']).toContain(alert.labels.severity);
    expect(alert.for).toMatch(/^\d+[mh]$/);
    expect(Object.keys(alert.annotations)).toEqual(['summary', 'description', 'runbook_url']);
    expect(alert.annotations.runbook_url).toBe(`docs/runbook.md#${name.toLowerCase()}`);
  });

  it.each(alerts.map((alert) => [alert.alert, alert] as const))('%s names no label that its series lack', (_, alert) => {
    const named = Object.values(alert.annotations).flatMap((text) =>
      [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label),
    );
    const outer = /\bby \(([^)]*)\)/.exec(alert.expr)?.[1];
    const carried = outer === undefined ? [...targetLabels, ...labelsOf(alert.expr)] : list(outer);
    expect(named.filter((label) => !carried.includes(label))).toEqual([]);
  });

  it('are named once each', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });
});

/** Labels of every metric in an expression. */
const labelsOf = (expr: string): readonly string[] =>
  (expr.match(/[a-z_:]\w*/gi) ?? []).flatMap((name) => [...(metrics.get(name)?.keys() ?? [])]);

describe('the runbook', () => {
  it('has a section for every alert, in their order, and for nothing else', () => {
    expect([...sections.keys()]).toEqual(alerts.map(({ alert }) => alert));
  });

  it.each([...sections])('says of %s what it means, what users see, what to look at and what to do', (_, section) => {
    const parts = [...section.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, part]) => part);
    expect(parts).toEqual(['Means', 'Users see', 'Look at', 'Do']);
  });

  it('refers only to alerts that exist', () => {
    const named = read('docs/runbook.md').match(/\bProjectDomain[A-Z]\w+/g) ?? [];
    expect(named.filter((name) => !sections.has(name))).toEqual([]);
  });
});

describe('the dashboard', () => {
  const charts = dashboard.panels.filter(({ type }) => type !== 'row');

  it.each(charts.map((panel) => [panel.title, panel] as const))('%s shows only what exists', (_, { targets = [] }) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) {
      expect(strangers(expr)).toEqual([]);
      expect(isBalanced(expr)).toBe(true);
      expect(expr).toContain('namespace=~"$namespace"');
    }
  });

  it('asks the data source that is chosen, in every panel', () => {
    const chosen = { type: 'prometheus', uid: '${datasource}' };
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toContainEqual(['datasource', 'datasource']);
    for (const panel of charts) {
      expect(panel.datasource).toEqual(chosen);
      for (const { datasource } of panel.targets ?? []) expect(datasource).toEqual(chosen);
    }
  });

  it('has its rows, and no id twice', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual(['Domains', 'Certificates', 'API and quota', 'Redirects', 'Internals']);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  it('has no panels on top of each other and none beyond the edge', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...dashboard.panels.map(({ gridPos }) => gridPos.x + gridPos.w))).toBe(24);
  });

  it('shows every figure of ours', () => {
    const shown = new Set(charts.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr.match(/\w+/g) ?? [])));
    const family = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
    const families = new Set([...metrics.keys()].filter((name) => name.startsWith('projectdomain_')).map(family));
    expect([...families].filter((name) => ![...shown].some((word) => family(word) === name))).toEqual([]);
  });
});
