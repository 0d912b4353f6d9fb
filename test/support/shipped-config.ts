import { parseAllDocuments } from 'yaml';
import { leastValues, renderChart } from '../../dev/platform/chart.ts';
import { findTools } from '../../dev/platform/tools.ts';

interface ConfigMap {
  readonly kind: string;
  readonly data: Readonly<Record<string, string>>;
}

/** The operator's configuration as the chart writes it when nothing but the least is said. */
export async function shippedConfig(): Promise<object> {
  const { helm } = await findTools((line) => process.stderr.write(`${line}\n`));
  const documents = parseAllDocuments(await renderChart(helm, leastValues, ['operator-config.yaml']));
  const [config] = documents.map((document) => document.toJS() as ConfigMap).filter(({ kind }) => kind === 'ConfigMap');
  return JSON.parse(config?.data['config.json'] ?? '') as object;
}
