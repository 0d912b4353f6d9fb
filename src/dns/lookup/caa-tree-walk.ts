import type { Check } from './lookup-chain.ts';
import { observeChain } from './lookup-chain.ts';

/**
 * Asks for CAA at the name and at each of its parents up to the top-level domain, following aliases (RFC 8659 section 3):
 * all at once, as most names have none anywhere.
 */
export async function walkCaaTree(check: Check, hostname: string): Promise<void> {
  const labels = hostname.split('.');
  const names = labels.map((_, index) => labels.slice(index).join('.'));
  await Promise.all(names.map((start) => observeChain(check, { start, types: ['CAA'] })));
}
