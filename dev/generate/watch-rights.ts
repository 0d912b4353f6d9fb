import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'charts/projectdomain/files/watch-rights.yaml');

/** Printed by a process of its own: dev/ imports nothing from src/. */
const script = `
import { watchedKinds } from './src/controllers/watched-kinds.ts';
import { createIngressRoutes } from './src/routing/ingress/ingress-routes.ts';
const routes = Object.values(createIngressRoutes({ className: '' }).kinds);
const kinds = [...Object.values(watchedKinds), ...routes].map(({ kind }) => kind);
console.log(JSON.stringify(kinds.map(({ apiVersion, plural }) => ({ apiVersion, plural }))));
`;

interface WatchedKind {
  readonly apiVersion: string;
  readonly plural: string;
}

/** The rights to read and watch every kind that the operator keeps a copy of, as rules of a ClusterRole. */
function wanted(): string {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const kinds = JSON.parse(execFileSync(process.execPath, options, { cwd: root, encoding: 'utf8' })) as WatchedKind[];
  const groups = Map.groupBy(kinds, ({ apiVersion }) => (apiVersion.includes('/') ? apiVersion.split('/')[0] : "''"));
  const rules = [...groups].map(
    ([group, members]) =>
      `- apiGroups: [${group}]\n  resources: [${members.map(({ plural }) => plural).join(', ')}]\n  verbs: [get, list, watch]\n`,
  );
  return `# Made from src/controllers/watched-kinds.ts by npm run generate.\n${rules.join('')}`;
}

/** True when the chart's file is what the code makes. */
export const watchRightsAreCurrent = (): boolean => existsSync(file) && readFileSync(file, 'utf8') === wanted();

export const writeWatchRights = (): void => writeFileSync(file, wanted());
