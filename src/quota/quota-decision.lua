-- Decides on a batch of requests, each over ban, minute and day together (in TypeScript: minute-log.ts, quota-windows.ts, ban-state.ts,
-- quota-decision.ts; the packed states: state-encoding.ts; the batch and its answers: batch-encoding.ts).
--
-- KEYS  1 what is remembered of this process' batches   2… the states of the budgets that are asked for
-- ARGV  1 the batch: its number, the last one that was answered; of each budget how many requests, a seed, a debt, and the requests
-- Returns now (ms), what was remembered, what became of the batch, the answers, and the state of each budget. Nothing happens in a
-- batch that is 'stale', as a later number has come before it, nor in one that is 'lost', as Redis has forgotten what it had answered.

local DAY, DAY_MS, MINUTE_MS, MOMENT_MS, MOST_ENTRIES = 86400, 86400000, 60000, 600, 60
local GRACE_MS, STRIKE_MS, STRIKES, BAN_WITHIN_MS, MOST_KEYS = 2000, 1000, 18, 19000, 64
local BANS = {60, 300, 1800, 7200, 86400}
local BATCHES_KEPT_S = 600
local BUDGET, ENTRY, CONDUCT, STRIKE, KEY = '>I2I4B', '>I6I2I4', '>BI4I6B', '>I2', '>c16I6I6I6I4B'
local BATCH, ASKED, ASK, ANSWER = '>I6I6', '>BI2c0I2c0', '>I2I4I4I6c16', '>BI4I6I2I4I4BBI6'
local NO_DAY, NO_KEY = 4294967295, string.rep('\0', 16)
local ALLOWED, LIMITED, BANNED = 0, 1, 2

local pack, floor, ceil, max, min = struct.pack, math.floor, math.ceil, math.max, math.min

local time = redis.call('TIME')
local nowMs = tonumber(time[1]) * 1000 + floor(tonumber(time[2]) / 1000)
local now, today = floor(nowMs / 1000), floor(nowMs / DAY_MS)

local stored = redis.call('MGET', unpack(KEYS))
local batch = ARGV[1]
local number, answered, position = struct.unpack(BATCH, batch)
-- The last number, and of the last two batches with decisions their numbers and what each decision spent, the newer one first: '7 7:101 6:1'
local remembered = stored[1] or '0'
local last, newest = string.match(remembered, '^(%d+) ?(%S*)')
if number <= tonumber(last) then return {nowMs, remembered, 'stale'} end
if answered > tonumber(last) then return {nowMs, remembered, 'lost'} end

-- the minute --------------------------------------------------------------------------------------------------------

local function endOf(entry)
  return (entry.last - entry.first <= MOMENT_MS and entry.last or entry.first) + MINUTE_MS
end

-- Without what has ceased to count. A clock that was set back moves all entries back with it.
local function setLog(s, log)
  local ahead = max(0, #log > 0 and log[#log].last - nowMs or 0)
  s.log, s.used = {}, 0
  for _, entry in ipairs(log) do
    entry.first, entry.last = entry.first - ahead, entry.last - ahead
    if s.used > 0 or endOf(entry) > nowMs then
      s.log[#s.log + 1], s.used = entry, s.used + entry.count
    end
  end
end

local function spend(s, cost, perMinute)
  local open = s.log[#s.log]
  if open and (nowMs - open.first <= MOMENT_MS or open.count + cost <= floor(perMinute / 10)) then
    open.last, open.count = nowMs, open.count + cost
  else
    s.log[#s.log + 1] = {first = nowMs, last = nowMs, count = cost}
  end
  s.used, s.dayCount, s.changed = s.used + cost, s.dayCount + cost, true
end

local function minuteResetsAt(s, perMinute)
  local left, endsAt = s.used, nowMs
  local target = min(left, perMinute) - 1
  for _, entry in ipairs(s.log) do
    if left <= target then break end
    left, endsAt = left - entry.count, max(endsAt, endOf(entry))
  end
  return endsAt
end

local function sum(one, two) return one + two end

-- Another history of the same budget: what the process knows of it, or what it has admitted alone.
local function join(s, other, combine)
  local byFirst, log = {}, {}
  for _, entries in ipairs({s.log, other.log}) do
    for _, entry in ipairs(entries) do
      local same = byFirst[entry.first]
      if same then
        same.last, same.count = max(same.last, entry.last), combine(same.count, entry.count)
      else
        byFirst[entry.first], log[#log + 1] = entry, entry
      end
    end
  end
  table.sort(log, function(one, two) return one.first < two.first end)
  while #log > MOST_ENTRIES do
    local oldest, second = log[1], table.remove(log, 2)
    oldest.last, oldest.count = max(oldest.last, second.last), oldest.count + second.count
  end
  setLog(s, log)
  local day = max(s.day, other.day)
  s.dayCount = combine(s.day == day and s.dayCount or 0, other.day == day and other.dayCount or 0)
  s.day, s.conduct, s.changed = day, s.conduct or other.conduct, true
end

-- strikes and bans --------------------------------------------------------------------------------------------------

local function keptUntilMs(key)
  return max(key.refusedUntilMs, key.bannedAtMs > 0 and (key.bannedUntil + DAY) * 1000 or 0)
end

local function forgetCleanDays(c)
  local days = max(0, min(c.step, floor((now - c.cleanSince) / DAY)))
  c.step = c.step - days
  c.cleanSince = c.step > 0 and c.cleanSince + days * DAY or 0
end

-- Where there are too many keys, one that is of use for the shortest time makes room.
local function keep(c, key)
  c.keys[key.id] = keptUntilMs(key) > nowMs and key or nil
  local count, first = 0, nil
  for _, one in pairs(c.keys) do
    count = count + 1
    if not first or keptUntilMs(one) < keptUntilMs(first) then first = one end
  end
  if count > MOST_KEYS then c.keys[first.id] = nil end
end

local function lift(s, id, liftedAt)
  local c = s.conduct
  local key = c.keys[id]
  if not key or key.bannedAtMs == 0 or liftedAt < key.bannedAtMs then return end
  c.keys[id] = nil
  c.step, c.cleanSince, c.strikes = max(0, c.step - 1), min(c.cleanSince, floor(liftedAt / 1000)), {}
  forgetCleanDays(c)
  s.changed = true
end

local function isBanned(key) return key and key.bannedUntil * 1000 > nowMs end

local function nextStrikeMs(c, key)
  return max((key and key.refusedAtMs or 0) + GRACE_MS + 1, (c.strikes[#c.strikes] or 0) + STRIKE_MS)
end

local function strike(c, id)
  c.strikes[#c.strikes + 1] = nowMs
  if #c.strikes > STRIKES then table.remove(c.strikes, 1) end
  if c.step > 0 then c.cleanSince = max(c.cleanSince, now) end
  if #c.strikes < STRIKES then return end
  c.step = min(c.step + 1, #BANS)
  local bannedUntil = ceil(nowMs / 1000) + BANS[c.step]
  c.cleanSince = max(c.cleanSince, bannedUntil)
  keep(c, {id = id, refusedAtMs = 0, refusedUntilMs = 0, bannedAtMs = nowMs, bannedUntil = bannedUntil, step = c.step})
end

local function refused(s, id, untilMs)
  s.conduct = s.conduct or {step = 0, cleanSince = 0, strikes = {}, keys = {}}
  local c = s.conduct
  local key = c.keys[id] or {id = id, refusedUntilMs = 0, bannedAtMs = 0, bannedUntil = 0, step = 0}
  if nowMs >= key.refusedUntilMs then
    key.refusedAtMs, key.refusedUntilMs, s.changed = nowMs, untilMs, true
    keep(c, key)
  elseif nowMs >= nextStrikeMs(c, key) then
    s.changed = true
    strike(c, id)
  end
end

local function admitted(c, id)
  local key = c.keys[id]
  if not key or key.refusedUntilMs == 0 then return end
  key.refusedAtMs, key.refusedUntilMs = 0, 0
  keep(c, key)
end

-- states ------------------------------------------------------------------------------------------------------------

local function readConduct(text, at)
  if at > #text then return nil end
  local c, first, strikes, after = {strikes = {}, keys = {}}, nil, nil, nil
  c.step, c.cleanSince, first, strikes, at = struct.unpack(CONDUCT, text, at)
  for _ = 1, strikes do
    after, at = struct.unpack(STRIKE, text, at)
    local strike = first + after
    if strike > nowMs - BAN_WITHIN_MS and strike <= nowMs then c.strikes[#c.strikes + 1] = strike end
  end
  while at <= #text do
    local key = {}
    key.id, key.refusedAtMs, key.refusedUntilMs, key.bannedAtMs, key.bannedUntil, key.step, at = struct.unpack(KEY, text, at)
    if keptUntilMs(key) > nowMs then c.keys[key.id] = key end
  end
  forgetCleanDays(c)
  return c
end

local function read(text)
  local day, dayCount, entries, at = struct.unpack(BUDGET, text)
  local log = {}
  for i = 1, entries do
    local first, span, count
    first, span, count, at = struct.unpack(ENTRY, text, at)
    log[i] = {first = first, last = first + span, count = count}
  end
  local s = {day = day, dayCount = dayCount, conduct = readConduct(text, at)}
  setLog(s, log)
  -- A day that a clock, set back by less than a day, has already begun goes on.
  if day ~= today + 1 then
    s.day, s.dayCount = today, day < today and 0 or dayCount
  end
  return s
end

local function write(key, s, hasDay)
  local c, ttl = s.conduct, 62 + (hasDay and DAY - now % DAY or 0)
  local parts = {pack(BUDGET, s.day, s.dayCount, #s.log)}
  for _, entry in ipairs(s.log) do
    parts[#parts + 1] = pack(ENTRY, entry.first, entry.last - entry.first, entry.count)
  end
  if c and (c.step > 0 or #c.strikes > 0 or next(c.keys)) then
    local first = c.strikes[1] or 0
    parts[#parts + 1] = pack(CONDUCT, c.step, c.cleanSince, first, #c.strikes)
    ttl = max(ttl, c.cleanSince + c.step * DAY - now)
    for _, strike in ipairs(c.strikes) do parts[#parts + 1] = pack(STRIKE, strike - first) end
    for _, k in pairs(c.keys) do
      parts[#parts + 1] = pack(KEY, k.id, k.refusedAtMs, k.refusedUntilMs, k.bannedAtMs, k.bannedUntil, k.step)
      ttl = max(ttl, ceil(keptUntilMs(k) / 1000) - now)
    end
  end
  local text = table.concat(parts)
  redis.call('SETEX', key, ttl, text)
  return text
end

-- decisions ---------------------------------------------------------------------------------------------------------

-- The kind of the answer, the key's ban, whether that begins, and when the key's next strike can be.
local function decide(s, cost, perMinute, perDay, id, liftedAt)
  if id and s.conduct then
    lift(s, id, liftedAt)
    local key = s.conduct.keys[id]
    if isBanned(key) then return BANNED, key, 0, 0 end
  end
  local minutePasses, dayPasses = s.used < perMinute, not perDay or s.dayCount < perDay
  if minutePasses and dayPasses then
    if cost > 0 then spend(s, cost, perMinute) end
    if cost > 0 and id and s.conduct then admitted(s.conduct, id) end
    return ALLOWED, nil, 0, 0
  end
  if not id or cost == 0 then return LIMITED, nil, 0, 0 end
  refused(s, id, max(minutePasses and 0 or minuteResetsAt(s, perMinute), dayPasses and 0 or (s.day + 1) * DAY_MS))
  local key = s.conduct.keys[id]
  if isBanned(key) then return BANNED, key, 1, 0 end
  return LIMITED, nil, 0, nextStrikeMs(s.conduct, key)
end

local reply, answers, spent = {nowMs, remembered, 'decided', ''}, {}, {}
for i = 2, #KEYS do
  local asks, seed, debt
  asks, seed, debt, position = struct.unpack(ASKED, batch, position)
  local text, hasDay = stored[i] or '', false
  -- A value that this script did not write must not make the batch fail for all that are in it.
  local isKnown, s = pcall(read, text)
  if not isKnown then text, s = '', {day = today, dayCount = 0, log = {}, used = 0} end
  -- What Redis has lost comes first: what was admitted alone is counted on top of it.
  if seed ~= '' then join(s, read(seed), max) end
  if debt ~= '' then join(s, read(debt), sum) end
  for _ = 1, asks do
    local cost, perMinute, perDay, liftedAt, id
    cost, perMinute, perDay, liftedAt, id, position = struct.unpack(ASK, batch, position)
    hasDay = hasDay or perDay ~= NO_DAY
    local kind, ban, begins, strikeMs = decide(s, cost, perMinute, perDay ~= NO_DAY and perDay, id ~= NO_KEY and id, liftedAt)
    answers[#answers + 1] = pack(ANSWER, kind, s.used, minuteResetsAt(s, perMinute), s.day, s.dayCount,
      ban and ban.bannedUntil or 0, ban and ban.step or 0, begins, strikeMs)
    spent[#spent + 1] = kind == ALLOWED and cost > 0 and 1 or 0
  end
  reply[i + 3] = s.changed and write(KEYS[i], s, hasDay) or text
end
reply[4] = table.concat(answers)

-- The process asks what became of a batch that it got no answer for.
local results = #spent > 0 and number .. ':' .. table.concat(spent) .. ' ' .. newest or string.match(remembered, ' (.*)') or ''
redis.call('SETEX', KEYS[1], BATCHES_KEPT_S, number .. ' ' .. results)
return reply
