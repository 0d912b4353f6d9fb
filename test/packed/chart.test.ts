import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { packChart } from '../../dev/pack/chart-package.ts';
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

const fromRegistry = (version: string): Promise<string> => {
  const chart = `oci://${address}/charts/projectdomain`;
  const args = ['template', 'projectdomain', chart, '--version', version, '--plain-http', '-n', systemNamespace];
  return runHelm(helm, args, values);
};

/** Fails when the archive lacks a template or a file, or cannot be pushed and pulled as an OCI artifact. */
describe('the packed chart', () => {
  it('renders from a registry what it renders from its folder', async () => {
    const archive = await packChart(helm, folder);
    await runHelm(helm, ['push', archive, `oci://${address}/charts`, '--plain-http']);
    const version = /-(\d[^/]*)\.tgz$/.exec(archive)?.[1] ?? '';
    const rendered = await fromRegistry(version);
    expect(rendered.length).toBeGreaterThan(10_000);
    expect(rendered).toBe(await renderChart(helm, values));
  });

  it('is not there under a version that nobody pushed', async () => {
    await expect(fromRegistry('0.0.0')).rejects.toThrow('not found');
  });
});
