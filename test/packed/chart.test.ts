import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { publishChart } from '../../dev/pack/chart-package.ts';
import { leastValues, renderChart, runHelm, systemNamespace } from '../../dev/platform/chart.ts';
import type { Part } from '../../dev/platform/process.ts';
import { startPart } from '../../dev/platform/process.ts';
import { findTool } from '../../dev/platform/tools.ts';

/** The chart as its users get it: packed, pushed to an OCI registry, and taken from there. */

const folder = temporaryFolder('chart');
const progress = (line: string) => void process.stderr.write(`${line}\n`);
/** Nothing is drawn by chance for a Redis of one's own, so that two renderings can be compared. */
const values = { ...leastValues, redis: { url: 'redis://redis.example:6379' } };
let helm = '';
let registry: Part | undefined;
let address = '';

/** The registry says on which port it listens. */
function listensAt(): string | undefined {
  const port = /serving on port (\d+)/.exec(readFileSync(join(folder, 'logs/registry.log'), 'utf8'))?.[1];
  return port === undefined ? undefined : `127.0.0.1:${port}`;
}

beforeAll(async () => {
  helm = await findTool('helm', progress);
  const images = join(folder, 'images');
  mkdirSync(images);
  registry = await startPart({
    name: 'registry',
    program: await findTool('crane', progress),
    args: ['registry', 'serve', '--address', '127.0.0.1:0', '--disk', images],
    dir: folder,
    ready: () => Promise.resolve(listensAt() !== undefined),
  });
  address = listensAt() ?? '';
}, 600_000);

afterAll(async () => {
  await registry?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const rendered = (chart: readonly string[]): Promise<string> =>
  runHelm(helm, ['template', 'projectdomain', ...chart, '-n', systemNamespace], values);

/** Fails when the archive lacks a template or a file, or cannot be pushed and pulled as an OCI artifact. */
describe('the packed chart', () => {
  it('renders from a registry what it renders from its folder', async () => {
    const text = await rendered(await publishChart(helm, folder, address));
    expect(text.length).toBeGreaterThan(10_000);
    expect(text).toBe(await renderChart(helm, values));
  });

  it('is not there under a version that nobody pushed', async () => {
    const chart = [`oci://${address}/charts/projectdomain`, '--version', '0.0.0', '--plain-http'];
    await expect(rendered(chart)).rejects.toThrow('not found');
  });
});
