import { parse } from 'yaml';

/** What the files of .github may name. */
export interface Repository {
  /** names of package.json's scripts */
  readonly scripts: readonly string[];
  /** whether there is a file or a folder at a path from the root */
  readonly has: (path: string) => boolean;
}

const npmsOwn = ['ci', 'install', 'sbom', 'pack', 'publish', 'version'];
const ourFolders = 'charts|config|crds|dev|docs|src|test|\\.ci|\\.github';

/** What is wrong with one file, a sentence each: YAML that does not parse, scripts and paths that are not there, loose rights. */
export function faultsOf(path: string, text: string, repository: Repository): readonly string[] {
  const faults = [...faultsOfScripts(text, repository), ...faultsOfPaths(text, repository)];
  if (!/\.ya?ml$/.test(path)) return faults;
  try {
    const document = parse(text) as Readonly<Record<string, unknown>>;
    return [...faults, ...(path.includes('workflows/') ? faultsOfWorkflow(document) : [])];
  } catch (error) {
    return [`is no YAML: ${(error as Error).message.split('\n')[0]}`];
  }
}

/** `npm run X` and the short forms of npm's own names for scripts. */
function faultsOfScripts(text: string, { scripts }: Repository): readonly string[] {
  const named = [...text.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map(([call, name = '']) => ({ call, name }));
  return named
    .filter(({ call, name }) => !scripts.includes(name) && (call.startsWith('npm run') || !npmsOwn.includes(name)))
    .map(({ call }) => `calls ${call}, which package.json does not have`);
}

function faultsOfPaths(text: string, { has }: Repository): readonly string[] {
  const named = new RegExp(`(?<![\\w./:@-])(?:\\./|/)?((?:${ourFolders})(?:/[\\w.*-]+)+)/?`, 'g');
  return [...text.matchAll(named)]
    .map(([, path = '']) => path.replace(/\/\*\*?$/, '').replace(/\.$/, ''))
    .filter((path) => !has(path))
    .map((path) => `names ${path}, which is not there`);
}

interface Step {
  readonly uses?: string;
}

interface Job extends Step {
  readonly steps?: readonly Step[];
}

/** A workflow starts with the right to read, and takes actions by their commit: a tag can be moved. */
function faultsOfWorkflow({ permissions, jobs = {} }: Readonly<Record<string, unknown>>): readonly string[] {
  const all = Object.values(jobs as Readonly<Record<string, Job>>);
  const used = all.flatMap((job) => [job, ...(job.steps ?? [])]).flatMap(({ uses }) => uses ?? []);
  const foreign = used.filter((name) => !name.startsWith('./'));
  const isReadOnly = JSON.stringify(permissions) === '{"contents":"read"}';
  return [
    ...(isReadOnly ? [] : ['does not start with the right to read contents alone']),
    ...(all.length > 0 ? [] : ['has no jobs']),
    ...foreign.filter((name) => !/@[0-9a-f]{40}$/.test(name)).map((name) => `takes ${name} by no commit`),
  ];
}
