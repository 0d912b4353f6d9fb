import type { QuotaState } from '../../src/quota/quota-decision.ts';
import { idLength, structs, writeBudget } from '../../src/quota/state-encoding.ts';

/** A state as quota-decision.lua packs it. */
export function writeState({ budget, conduct }: QuotaState): Buffer {
  const { step, cleanSince, strikesMs, keys } = conduct;
  if (step === 0 && strikesMs.length === 0 && keys.size === 0) return writeBudget(budget);
  const [firstStrikeMs = 0] = strikesMs;
  const ofKeys = keys.size * (idLength + structs.key.length);
  const packed = Buffer.alloc(structs.conduct.length + strikesMs.length * structs.strike.length + ofKeys);
  let at = structs.conduct.write(packed, 0, { step, cleanSince, firstStrikeMs, strikes: strikesMs.length });
  for (const atMs of strikesMs) at = structs.strike.write(packed, at, { afterMs: atMs - firstStrikeMs });
  for (const [id, key] of keys) {
    packed.write(id, at, 'latin1');
    at = structs.key.write(packed, at + idLength, { ...key });
  }
  return Buffer.concat([writeBudget(budget), packed]);
}
