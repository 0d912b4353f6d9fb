/** What is looked at of package-lock.json (lockfileVersion 3). */
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Packages that may run a program of their own when they are installed. unrs-resolver looks whether its binary is there;
 * @parcel/watcher, an optional one, builds itself where no binary of it is.
 */
const mayRunScripts = ['node_modules/@parcel/watcher', 'node_modules/unrs-resolver'];

/** Those that ask for nothing but to be named. */
const licences = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'Unlicense'],
  ...['PSF-2.0', 'Python-2.0'],
];

/** Tests and their tools only, and shipped to nobody: axe-core's code, and data about browsers. */
const licencesByPackage: Readonly<Record<string, string>> = {
  'node_modules/axe-core': 'MPL-2.0',
  'node_modules/caniuse-lite': 'CC-BY-4.0',
};

/**
 * What makes a lock file unsafe to install from, a sentence each: a package without a SHA-512 of its content, from
 * elsewhere than the registry, with a script that runs at install, under a licence that nobody looked at; a dependency of
 * ours that is not one exact version.
 */
export function faultsOf({ packages }: Lockfile): readonly string[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    path === '' ? faultsOfOurs(entry) : faultsOfTheirs(path, entry),
  );
}

function faultsOfOurs(ours: LockedPackage): readonly string[] {
  const wanted = Object.entries({ ...ours.dependencies, ...ours.devDependencies, ...ours.optionalDependencies });
  return wanted
    .filter(([, version]) => !isExact(version))
    .map(([name, version]) => `${name} is wanted as '${version}', which is not one version of the registry`);
}

function faultsOfTheirs(path: string, entry: LockedPackage): readonly string[] {
  const checks: readonly (readonly [boolean, string])[] = [
    [/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? ''), 'has no SHA-512 of its content'],
    [entry.resolved === undefined, `names where it is downloaded from (${entry.resolved})`],
    [entry.link !== true, 'is a folder, not a package of the registry'],
    [isExact(entry.version ?? ''), `has the version '${entry.version}', which the registry cannot have`],
    [entry.hasInstallScript !== true || mayRunScripts.includes(path), 'runs a script when it is installed'],
    [isLicensed(path, entry.license ?? ''), `has the licence '${entry.license}', which is not among the accepted ones`],
  ];
  return checks.filter(([holds]) => !holds).map(([, fault]) => `${path} ${fault}`);
}

const isExact = (version: string): boolean => /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(version);

/** One of several on offer is enough. */
function isLicensed(path: string, licence: string): boolean {
  const offered = licence.replaceAll(/[()]/g, '').split(' OR ');
  return offered.some((one) => licences.includes(one)) || licencesByPackage[path] === licence;
}
