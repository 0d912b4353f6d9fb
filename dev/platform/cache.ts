import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the pinned Go modules are. */
export const toolModules = join(import.meta.dirname, '../tools');

/** Where programs and images are kept from one run to the next. */
export const cacheFolder = (): string => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'projectdomain');
