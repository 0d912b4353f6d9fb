import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Chart {
  readonly version: string;
  readonly appVersion: string;
  readonly kubeVersion: string;
  readonly home: string;
  readonly sources: readonly string[];
  readonly maintainers: readonly { readonly name: string }[];
  readonly annotations: Readonly<Record<string, string>>;
}

const chart = parse(read('charts/projectdomain/Chart.yaml')) as Chart;
const ours = JSON.parse(read('package.json')) as Readonly<Record<'version' | 'license' | 'homepage', string>>;
const annotation = (name: string): unknown => parse(chart.annotations[`artifacthub.io/${name}`] ?? '');

/** Fails when a release would carry two versions, or the chart would lead people to pages that are not there. */
describe('what the chart says of itself', () => {
  it('has the version of everything else', () => {
    const { repository } = (parse(read('charts/projectdomain/values.yaml')) as { image: { repository: string } }).image;
    expect([chart.version, chart.appVersion]).toEqual([ours.version, ours.version]);
    expect(annotation('images')).toMatchObject([{ image: `${repository}:${ours.version}` }]);
  });

  it('has the licence and the home of the repository, and somebody who keeps it', () => {
    expect(annotation('license')).toBe(ours.license);
    expect([chart.home, ...chart.sources]).toEqual([ours.homepage, ours.homepage]);
    expect(chart.maintainers).not.toEqual([]);
  });

  it('links to files that there are', () => {
    const prefix = `${ours.homepage}/blob/main/`;
    const paths = (annotation('links') as readonly { url: string }[]).map(({ url }) => url.replace(prefix, ''));
    expect(paths).toContain('CHANGELOG.md');
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('asks for the Kubernetes that the guide asks for', () => {
    const oldest = /^>=(\d+\.\d+)\.0-0$/.exec(chart.kubeVersion)?.[1];
    expect(read('docs/install.md')).toContain(`| Kubernetes | ${oldest} or newer.`);
    expect(read('docs/upgrade.md')).toContain(`any version from ${oldest} on.`);
  });
});
