import type { AccountStrikes, KeyState } from './ban-state.ts';
import { cleanAccount, cleanKey } from './ban-state.ts';
import type { BudgetState } from './quota-windows.ts';
import { emptyBudget } from './quota-windows.ts';

/**
 * The states as quota-decision.lua packs them: whole numbers, the highest byte first. What is held against an account stands
 * behind its budget, once there ever was anything.
 */

const budgetLength = 40;
const conductLength = 6;
const strikeLength = 4;
const keyLength = 27;

/** The budget of a packed text; an empty one for anything else. */
export function readBudget(text: Buffer): BudgetState {
  if (text.length < budgetLength) return emptyBudget;
  const counts = [4, 8, 12, 16, 20, 24, 28].map((at) => text.readUInt32BE(at));
  return { bucket: text.readUInt32BE(0), counts, day: text.readUInt32BE(32), dayCount: text.readUInt32BE(36) };
}

/** What is held against the account, of its budget's packed text; nothing where it says nothing. */
export function readAccountStrikes(text: Buffer): AccountStrikes {
  const strikesAt = budgetLength + conductLength;
  if (text.length < strikesAt) return cleanAccount;
  const count = text.readUInt8(budgetLength + 5);
  if (text.length < strikesAt + count * strikeLength) return cleanAccount;
  const strikes = Array.from({ length: count }, (_, index) => text.readUInt32BE(strikesAt + index * strikeLength));
  return { step: text.readUInt8(budgetLength), cleanSince: text.readUInt32BE(budgetLength + 1), strikes };
}

/** The key's state of a packed text; innocence for anything else. */
export function readKey(text: Buffer): KeyState {
  if (text.length < keyLength) return cleanKey;
  return {
    refusedAtMs: Number(text.readBigUInt64BE(0)),
    refusedUntil: text.readUInt32BE(8),
    forgiven: text.readUInt16BE(12),
    bannedAtMs: Number(text.readBigUInt64BE(14)),
    bannedUntil: text.readUInt32BE(22),
    step: text.readUInt8(26),
  };
}
