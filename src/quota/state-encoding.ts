import type { AccountStrikes, KeyState } from './ban-state.ts';
import { cleanAccount, cleanKey } from './ban-state.ts';
import type { BudgetState } from './quota-windows.ts';
import { emptyBudget } from './quota-windows.ts';

/**
 * The states as quota-decision.lua packs them: unsigned integers, big-endian. An account's strikes and bans follow its
 * budget, once it has had any.
 */

const budgetLength = 40;
const accountLength = 6;
const strikeLength = 4;
const keyLength = 27;

/** Unpacks a budget; an empty one when the value is too short. */
export function readBudget(packed: Buffer): BudgetState {
  if (packed.length < budgetLength) return emptyBudget;
  const counts = [4, 8, 12, 16, 20, 24, 28].map((at) => packed.readUInt32BE(at));
  return { bucket: packed.readUInt32BE(0), counts, day: packed.readUInt32BE(32), dayCount: packed.readUInt32BE(36) };
}

/** Unpacks the account's strikes and bans, which follow its budget; none when they are absent. */
export function readAccountStrikes(packed: Buffer): AccountStrikes {
  const strikesAt = budgetLength + accountLength;
  if (packed.length < strikesAt) return cleanAccount;
  const count = packed.readUInt8(budgetLength + 5);
  if (packed.length < strikesAt + count * strikeLength) return cleanAccount;
  const strikes = Array.from({ length: count }, (_, index) => packed.readUInt32BE(strikesAt + index * strikeLength));
  return { step: packed.readUInt8(budgetLength), cleanSince: packed.readUInt32BE(budgetLength + 1), strikes };
}

/** Unpacks a key's state; that of a clean key when the value is too short. */
export function readKey(packed: Buffer): KeyState {
  if (packed.length < keyLength) return cleanKey;
  return {
    refusedAtMs: Number(packed.readBigUInt64BE(0)),
    refusedUntil: packed.readUInt32BE(8),
    forgiven: packed.readUInt16BE(12),
    bannedAtMs: Number(packed.readBigUInt64BE(14)),
    bannedUntil: packed.readUInt32BE(22),
    step: packed.readUInt8(26),
  };
}
