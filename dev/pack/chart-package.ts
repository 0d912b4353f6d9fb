import { chartFolder, runHelm } from '../platform/chart.ts';

/** Packs a chart into a folder, by default the operator's; resolves to the archive's path. */
export async function packChart(helm: string, to: string, chart = chartFolder): Promise<string> {
  const said = await runHelm(helm, ['package', chart, '--destination', to]);
  const path = /saved it to: (.+)$/m.exec(said)?.[1];
  if (path === undefined) throw new Error(`helm did not say where it put the chart: ${said.trim()}`);
  return path;
}

/**
 * Packs the chart into a folder and pushes it to a registry (ADDR:PORT, plain HTTP). Resolves to what helm is given to
 * take it from there.
 */
export async function publishChart(helm: string, to: string, registry: string): Promise<readonly string[]> {
  const archive = await packChart(helm, to);
  await runHelm(helm, ['push', archive, `oci://${registry}/charts`, '--plain-http']);
  const version = /-(\d[^/]*)\.tgz$/.exec(archive)?.[1];
  if (version === undefined) throw new Error(`${archive} names no version of the chart`);
  return [`oci://${registry}/charts/projectdomain`, '--version', version, '--plain-http'];
}
