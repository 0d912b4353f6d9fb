import { evaluate } from './evaluate.ts';

const script = `
import { watchedKinds } from './src/controllers/watched-kinds.ts';
import { createRoutes } from './src/routing/create-routes.ts';
const routeKinds = (settings) => Object.values(createRoutes({ classes: [{ class: 'default', isRetired: false, controller: 'Other', ...settings }], wildcards: false }).kinds);
const kinds = {
  'watched.yaml': Object.values(watchedKinds),
  'watched-ingress.yaml': routeKinds({ kind: 'Ingress', className: '' }),
  'watched-gateway.yaml': routeKinds({ kind: 'Gateway', namespace: '', name: '', listeners: 'ListenerSet' }),
  'watched-gateway-listeners.yaml': routeKinds({ kind: 'Gateway', namespace: '', name: '', listeners: 'Gateway' }),
};
const named = ({ kind: { apiVersion, plural } }) => ({ apiVersion, plural });
console.log(JSON.stringify(Object.entries(kinds).map(([file, all]) => [file, all.map(named)])));
`;

interface WatchedKind {
  readonly apiVersion: string;
  readonly plural: string;
}

/**
 * charts/projectdomain/files/rights by file name: the rights to read and watch every kind that the operator keeps a copy of, and
 * those for the kinds that routes consist of.
 */
export function watchRights(): ReadonlyMap<string, string> {
  const files = evaluate(script) as readonly (readonly [string, readonly WatchedKind[]])[];
  return new Map(files.map(([file, kinds]) => [file, rulesFor(kinds)]));
}

/** Rules of a ClusterRole. */
function rulesFor(kinds: readonly WatchedKind[]): string {
  const groups = Map.groupBy(kinds, ({ apiVersion }) => (apiVersion.includes('/') ? apiVersion.split('/')[0] : "''"));
  const rules = [...groups].map(
    ([group, members]) =>
      `- apiGroups: [${group}]\n  resources: [${members.map(({ plural }) => plural).join(', ')}]\n  verbs: [get, list, watch]\n`,
  );
  return `# Made from the kinds that the operator watches by npm run generate.\n${rules.join('')}`;
}
