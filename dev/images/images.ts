import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../platform/cache.ts';
import { acquire } from '../platform/lock.ts';
import type { Progress } from '../platform/progress.ts';
import type { NodeTools, Tools } from '../platform/tools.ts';
import { copyInto, copyWithLibraries, layOutBase, layOutNpm } from './base.ts';
import type { Buildah } from './buildah.ts';
import { buildFromFolder, createBuildah } from './buildah.ts';
import { temporaryFolder } from '../lib/temporary.ts';

/** Images of a platform with real Pods, by the name they have in its registry. */
export type ImageName =
  'pause' | 'coredns' | 'cert-manager' | 'acmesolver' | 'traefik' | 'redis' | 'tenant' | 'projectdomain' | FurtherImage;

/** Those that are built where they are asked for. */
type FurtherImage = 'envoy-gateway' | 'envoy' | 'echo-basic';

/** The program of each image that is asked for. */
export type FurtherPrograms = Readonly<Partial<Record<FurtherImage, string>>>;

export const imageTag = '1';

const repository = join(import.meta.dirname, '../..');
const folder = join(cacheFolder(), 'images');
export const registryFolder = join(folder, 'registry');

interface Parts {
  readonly tools: Tools;
  readonly nodeTools: NodeTools;
  readonly progress: Progress;
  readonly further: FurtherPrograms;
}

/** Builds what is missing or changed. One build at a time on a machine. */
export async function buildImages({ tools, nodeTools, progress, further }: Parts): Promise<Images> {
  mkdirSync(registryFolder, { recursive: true });
  const release = await acquire(join(folder, 'lock'), progress);
  try {
    const buildah = createBuildah(nodeTools.buildah, folder);
    const base = await fromFolder(buildah, { name: 'base', sources: [process.execPath], layOut: layOutBase });
    const build = await fromFolder(buildah, {
      name: 'build',
      sources: [process.execPath],
      user: '0:0',
      layOut: (root) => {
        layOutBase(root);
        layOutNpm(root);
      },
    });
    const single = (name: ImageName, program: string) =>
      fromFolder(buildah, {
        name,
        sources: [program],
        entrypoint: [`/${name}`],
        layOut: (root) => copyInto(root, program, `/${name}`),
      });
    const references = new Map<ImageName, string>([
      ['pause', await single('pause', nodeTools.pause)],
      ['coredns', await single('coredns', nodeTools.coredns)],
      ['cert-manager', await single('cert-manager', tools['cert-manager'])],
      ['acmesolver', await single('acmesolver', nodeTools.acmesolver)],
      ['traefik', await single('traefik', tools.traefik)],
      ['redis', await redisImage(buildah, tools['redis-server'])],
      ['tenant', await tenantImage(buildah)],
      ['projectdomain', await ownImage(buildah, { base, build, progress })],
    ]);
    for (const [name, program] of Object.entries(further) as [FurtherImage, string][])
      references.set(name, await furtherImage(buildah, name, program));
    return { references, push: (registry) => push(buildah, references, registry) };
  } finally {
    release();
  }
}

export interface Images {
  /** names in the local storage */
  readonly references: ReadonlyMap<ImageName, string>;
  /** Pushes every image to a registry at ADDR:PORT; what it has already is not sent again. */
  push(registry: string): Promise<void>;
}

async function push(buildah: Buildah, references: Images['references'], registry: string): Promise<void> {
  for (const [name, reference] of references) {
    const target = `docker://${registry}/${name}:${imageTag}`;
    await buildah.run('push', '--quiet', '--tls-verify=false', '--disable-compression', reference, target);
  }
}

interface LaidOut {
  readonly name: string;
  /** files whose content it is made from */
  readonly sources: readonly string[];
  readonly layOut: (root: string) => void;
  readonly entrypoint?: readonly string[];
  readonly user?: string;
}

/** The image of a laid-out folder, tagged by what it is made from: built once. */
async function fromFolder(
  buildah: Buildah,
  { name, sources, layOut, entrypoint = ['node'], user = '65532:65532' }: LaidOut,
): Promise<string> {
  const hash = createHash('sha256')
    .update(readFileSync(join(import.meta.dirname, 'base.ts')))
    .update(user);
  sources.forEach((source) => hash.update(readFileSync(source)));
  const reference = `localhost/${name}:${hash.digest('hex').slice(0, 16)}`;
  if (await buildah.has(reference)) return reference;
  const root = temporaryFolder('image');
  try {
    layOut(root);
    await buildFromFolder(buildah, reference, { root, entrypoint, user });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return reference;
}

const redisImage = (buildah: Buildah, program: string): Promise<string> =>
  fromFolder(buildah, {
    name: 'redis',
    sources: [program],
    entrypoint: ['redis-server'],
    layOut: (root) => {
      copyWithLibraries(root, program, '/usr/bin/redis-server');
      mkdirSync(join(root, 'tmp'));
    },
  });

/** A program that others' manifests call by its name. */
const furtherImage = (buildah: Buildah, name: FurtherImage, program: string): Promise<string> =>
  fromFolder(buildah, {
    name,
    sources: [program],
    entrypoint: [name],
    layOut: (root) => {
      layOutBase(root);
      if (name === 'envoy') copyWithLibraries(root, program, `/usr/bin/${name}`);
      else copyInto(root, program, `/usr/bin/${name}`);
    },
  });

const tenantImage = (buildah: Buildah): Promise<string> => {
  const script = join(import.meta.dirname, 'tenant.mjs');
  return fromFolder(buildah, {
    name: 'tenant',
    sources: [process.execPath, script],
    entrypoint: ['node', '/tenant.mjs'],
    layOut: (root) => {
      layOutBase(root);
      copyInto(root, script, '/tenant.mjs');
    },
  });
};

const systemCertificates = '/etc/ssl/certs/ca-certificates.crt';

/** The Dockerfile of the repository, as anybody would build it, on bases made here. */
async function ownImage(
  buildah: Buildah,
  { base, build, progress }: { base: string; build: string; progress: Progress },
): Promise<string> {
  const reference = 'localhost/projectdomain:latest';
  const iid = join(folder, 'projectdomain.iid');
  // Networks whose proxy signs anew have its certificate among the system's.
  const certificates = existsSync(systemCertificates)
    ? ['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro', '--build-arg', `NODE_EXTRA_CA_CERTS=${systemCertificates}`]
    : [];
  progress('building the image of the operator, the API server and the redirector');
  await buildah.run(
    'build',
    '--layers',
    '--isolation',
    'chroot',
    '--network',
    'host',
    ...certificates,
    '--build-arg',
    `BUILD_IMAGE=${build}`,
    '--build-arg',
    `BASE_IMAGE=${base}`,
    '--iidfile',
    iid,
    '--tag',
    reference,
    repository,
  );
  return reference;
}
