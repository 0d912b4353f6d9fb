import { stringify } from 'yaml';
import { evaluate } from './evaluate.ts';

const script = `
import { gatewayControllers, ingressControllers } from './src/routing/edges/controllers.ts';
console.log(JSON.stringify({ Ingress: ingressControllers, Gateway: gatewayControllers }));
`;

type Rows = Readonly<Record<string, unknown>>;

/** The rows of src/routing/edges, by what serves hostnames and by the controller's name. */
const controllers = (): Readonly<Record<'Ingress' | 'Gateway', Rows>> =>
  evaluate(script) as ReturnType<typeof controllers>;

/** charts/projectdomain/files/controllers by file name: what the chart and the platforms of dev/ know of each controller. */
export function controllerFiles(): ReadonlyMap<string, string> {
  const { Ingress, Gateway } = controllers();
  return new Map([
    ['ingress.yaml', textOf(Ingress)],
    ['gateway.yaml', textOf(Gateway)],
  ]);
}

const textOf = (rows: Rows): string =>
  `# Made from src/routing/edges by npm run generate.\n${stringify(rows, { aliasDuplicateObjects: false })}`;

/** Their names, each once. */
export const controllerNames = (): readonly string[] => {
  const { Ingress, Gateway } = controllers();
  return [...new Set([...Object.keys(Ingress), ...Object.keys(Gateway)])];
};
