import { chartFolder, runHelm } from '../platform/chart.ts';

/** Packs the chart into a folder; resolves to the archive's path. */
export async function packChart(helm: string, to: string): Promise<string> {
  const said = await runHelm(helm, ['package', chartFolder, '--destination', to]);
  const path = /saved it to: (.+)$/m.exec(said)?.[1];
  if (path === undefined) throw new Error(`helm did not say where it put the chart: ${said.trim()}`);
  return path;
}
