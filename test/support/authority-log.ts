import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Platform } from '../../dev/platform/platform.ts';

/** How often the authority asked for a challenge of a hostname by HTTP, as its log says. */
export const validations = ({ facts }: Pick<Platform, 'facts'>, hostname: string): number =>
  readFileSync(join(dirname(facts.acmeRoot), 'logs/pebble.log'), 'utf8').split(
    `Attempting to validate w/ HTTP: http://${hostname}:80/.well-known/acme-challenge/`,
  ).length - 1;
