import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputOf } from '../lib/output.ts';
import { temporaryFolder } from '../lib/temporary.ts';
import { strippedProgram } from './stripped-modules.ts';

/** What the package takes over from the repository's own package.json. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly homepage: string;
  readonly repository: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Names that the command line is called by, each with what it calls itself. */
const programs = { projectdomain: 'projectdomain', 'kubectl-projectdomain': 'kubectl projectdomain' };

/** The oldest Node that the packages in use run on: undici's. */
const oldestNode = { major: 22, minor: 19 };

const root = join(import.meta.dirname, '../..');

/** Packs the command line into a folder; resolves to the tarball's path. */
export async function packCli(to: string): Promise<string> {
  const folder = temporaryFolder('pack');
  try {
    writeCliPackage(folder);
    const printed = await outputOf('npm', ['pack', '--silent', '--pack-destination', to], { cwd: folder });
    return join(to, printed.trim());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the command line as a package that npm can pack and install anywhere: JavaScript without types, a launcher for
 * each name, the packages that it needs at the versions that are locked here, and a guide.
 */
function writeCliPackage(folder: string): void {
  const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const { files, packages } = strippedProgram(join(root, 'src'), 'cli/main.ts');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, code] of files) write(`lib/${path}`, code);
  for (const [name, calledAs] of Object.entries(programs)) write(launcherPath(name), launcher(calledAs));
  write('package.json', `${JSON.stringify(manifest(ours, packages), null, 2)}\n`);
  write('README.md', readme(ours));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

const launcherPath = (name: string): string => `bin/${name}.js`;

/**
 * What `projectdomain --help` calls itself depends on the name it was called by (src/cli/main.ts). An old Node gets a
 * sentence instead of a stack out of some package: npm only warns about engines.
 */
const launcher = (calledAs: string): string => `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${oldestNode.major} || (major === ${oldestNode.major} && minor < ${oldestNode.minor})) {
  console.error('${calledAs} needs Node ${oldestNode.major}.${oldestNode.minor} or newer; this is ' + process.versions.node);
  process.exit(1);
}
process.env.PROJECTDOMAIN_CALLED_AS = '${calledAs}';
await import('../lib/cli/main.js');
`;

function manifest({ dependencies, ...ours }: Manifest, packages: readonly string[]) {
  const { name, version, description, license, homepage, repository } = ours;
  return {
    name,
    version,
    description,
    license,
    homepage,
    repository,
    type: 'module',
    engines: { node: `>=${oldestNode.major}.${oldestNode.minor}.0` },
    bin: Object.fromEntries(Object.keys(programs).map((program) => [program, launcherPath(program)])),
    files: ['bin', 'lib'],
    dependencies: Object.fromEntries(packages.map((needed) => [needed, versionOf(dependencies, needed)])),
  };
}

function versionOf(dependencies: Manifest['dependencies'], name: string): string {
  const version = dependencies[name];
  if (version === undefined) throw new Error(`src/cli imports ${name}, which package.json has not among dependencies`);
  return version;
}

const readme = ({ homepage }: Manifest): string => `# projectdomain

The command line of projectdomain, custom domains for the customers of a platform inside Kubernetes.

\`\`\`sh
npm install -g projectdomain
projectdomain --help
kubectl projectdomain --help
\`\`\`

\`projectdomain check HOSTNAME --target TARGET\` looks at DNS as the operator does and needs no cluster; every other command
uses your kubeconfig and your rights. The guide: ${homepage}/blob/main/docs/kubectl-plugin.md
`;
