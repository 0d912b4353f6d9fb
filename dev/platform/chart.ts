import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { lateCollection, outputOf } from '../lib/output.ts';

export const chartFolder = join(import.meta.dirname, '../../charts/projectdomain');
export const vantageChartFolder = join(import.meta.dirname, '../../charts/projectdomain-vantage');
export const systemNamespace = 'projectdomain-system';

/** At most `count` in any window of `seconds`. */
interface Limit {
  readonly count: number;
  readonly seconds: number;
}

/** What the chart installs when nothing is said. */
export interface ChartValues {
  readonly plans: Readonly<Record<string, unknown>>;
  readonly issuer: {
    readonly limits: Readonly<Record<'orders' | 'registeredDomain' | 'exactSet' | 'failures', Limit>> & {
      readonly renewalReserve: number;
      readonly platformPercent: number;
      readonly shares: Readonly<Record<string, number>>;
    };
  };
  readonly operator: { readonly workers: Readonly<Record<string, number>> };
  readonly dns: { readonly looksPerSecond: number };
}

export const chartValues = (): ChartValues =>
  parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')) as ChartValues;

/** The least that has to be said. */
export const leastValues = Object.freeze({
  platformDomain: 'apps.example.net',
  ingressClass: 'traefik',
  platformAddresses: ['203.0.113.10'],
  issuer: { kind: 'AcmeIssuer', name: 'pebble' },
  redis: { included: true },
});

/** Runs helm, with values (if it is to have any) on its stdin; resolves to stdout and rejects with what it printed on stderr. */
export function runHelm(helm: string, args: readonly string[], values?: object): Promise<string> {
  const env = { ...process.env, ...lateCollection };
  if (!values) return outputOf(helm, args, { env });
  return outputOf(helm, [...args, '--values', '-'], { input: JSON.stringify(values), env });
}

/** The chart's manifests; `only` names templates (globs) below templates/. */
export function renderChart(helm: string, values: object, only: readonly string[] = []): Promise<string> {
  const shown = only.flatMap((template) => ['--show-only', `templates/${template}`]);
  return runHelm(helm, ['template', 'projectdomain', chartFolder, '-n', systemNamespace, ...shown], values);
}

/** What the chart installs for the whole cluster: definitions, rights, admission policies, the path of tokens. */
const clusterParts = ['crds/*.yaml', 'rbac/*.yaml', 'admission/*.yaml', 'token-route.yaml'] as const;

/** For a platform that runs our processes outside of the cluster; `values` are added to the least that has to be said. */
export function renderClusterParts(helm: string, values: object = {}): Promise<string> {
  return renderChart(helm, { ...leastValues, certManager: { check: false }, ...values }, clusterParts);
}
