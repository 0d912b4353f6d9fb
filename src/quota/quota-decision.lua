-- Decides on a batch of requests, each over ban, minute and day together (in TypeScript: minute-log.ts, quota-windows.ts, ban-state.ts,
-- quota-decision.ts; the packed states: state-encoding.ts; the batch and its answers: decision-script.ts).
--
-- KEYS  1 what is remembered of this process' batches   2… the states of the budgets that are asked for
-- ARGV  1 the batch: its number, how many decisions are asked for, and each of them
-- Returns now (ms), what was remembered of earlier batches, the answers, and the state of each budget. A batch whose number is not
-- above the last one has been decided, or was given up by its process: nothing happens, and the answers are 'stale'.

local MINUTE_MS, MOMENT_MS, LONGEST_SPAN_MS, MOST_IN_ENTRY, MOST_ENTRIES = 60000, 600, 65000, 16777215, 60
local DAY, DAY_MS, CLOCK = 86400, 86400000, 16777216
local GRACE_MS, STRIKE_MS, STRIKES, BAN_WITHIN_MS, STRIKES_KEPT_MS, MOST_KEYS = 2000, 1000, 18, 19000, 20000, 64
local BANS = {60, 300, 1800, 7200, 86400}
local BATCHES_KEPT_S = 600
local HEADER, HEADER_LENGTH, ENTRY, ENTRY_LENGTH = '>I4I4I2I4I6I4B', 25, '>I3I2I3', 8
local CONDUCT, CONDUCT_LENGTH, STRIKE, STRIKE_LENGTH, KEY, KEY_LENGTH = '>BI4I6B', 12, '>I2', 2, '>c16I6I6I6I4B', 39
local ASK, ANSWER = '>BBI2I4I4I4I4', '>BI4I6I2I4I4B'
local NO_DAY = 4294967295
local HAS_KEY, HAS_SEED, HAS_DEBT, HAS_IGNORED, KEY_FIELDS, KEY_FIELDS_LENGTH = 1, 2, 4, 8, '>c16I6', 22
local ALLOWED, LIMITED, BANNED, SEED_WANTED, BEGINS = 0, 1, 2, 3, 8

local spread = unpack
local pack, unpack, sub, floor, max, min = struct.pack, struct.unpack, string.sub, math.floor, math.max, math.min

local time = redis.call('TIME')
local nowMs = tonumber(time[1]) * 1000 + floor(tonumber(time[2]) / 1000)
local now, today = floor(nowMs / 1000), floor(nowMs / DAY_MS)
local batch = ARGV[1]
local number, count, position = unpack('>I6B', batch)

local stored = redis.call('MGET', spread(KEYS))
local remembered = stored[1] or ''
if #remembered >= 6 and number <= unpack('>I6', remembered) then return {nowMs, remembered, 'stale'} end

-- the minute --------------------------------------------------------------------------------------------------------

local function entryAt(s, at)
  local first, span, used = unpack(ENTRY, s.log, at)
  first = s.newest - (s.newest - first) % CLOCK
  return first, span, used, (span <= MOMENT_MS and first + span or first) + MINUTE_MS
end

-- The first entry stays unpacked, as every decision needs it: firstMs, firstUsed, firstEndsAt.
local function dropExpired(s)
  local at = 1
  while at <= #s.log do
    local first, _, used, endsAt = entryAt(s, at)
    if endsAt > nowMs then
      s.firstMs, s.firstUsed, s.firstEndsAt = first, used, endsAt
      break
    end
    at, s.used, s.entries = at + ENTRY_LENGTH, s.used - used, s.entries - 1
  end
  if at > 1 then s.log = sub(s.log, at) end
end

-- A clock that was set back moves all entries back with it.
local function setBack(s)
  local by, moved = s.newest - nowMs, {}
  for at = 1, #s.log, ENTRY_LENGTH do
    local first, span, used = unpack(ENTRY, s.log, at)
    moved[#moved + 1] = pack(ENTRY, (first - by) % CLOCK, span, used)
  end
  s.log, s.newest, s.changed = table.concat(moved), nowMs, true
end

local function keepFirst(s, first, span, used)
  s.firstMs, s.firstUsed = first, used
  s.firstEndsAt = (span <= MOMENT_MS and first + span or first) + MINUTE_MS
end

local function spendMinute(s, cost, perMinute)
  local isFirst = s.entries <= 1
  if s.entries > 0 then
    local first, used = s.firstMs, s.firstUsed
    if not isFirst then
      local _
      first, _, used = entryAt(s, #s.log - ENTRY_LENGTH + 1)
    end
    local span = nowMs - first
    used = used + cost
    local fits = span <= LONGEST_SPAN_MS and used <= MOST_IN_ENTRY
    if fits and (span <= MOMENT_MS or used <= floor(perMinute / 10)) then
      local entry = pack(ENTRY, first % CLOCK, span, used)
      s.log = isFirst and entry or sub(s.log, 1, -ENTRY_LENGTH - 1) .. entry
      s.used, s.newest = s.used + cost, nowMs
      if isFirst then keepFirst(s, first, span, used) end
      return
    end
  end
  s.log = s.log .. pack(ENTRY, nowMs % CLOCK, 0, cost)
  if s.entries == 0 then keepFirst(s, nowMs, 0, cost) end
  s.used, s.newest, s.entries = s.used + cost, nowMs, s.entries + 1
end

local function minuteResetsAt(s, perMinute)
  local left = s.used
  local target = left < perMinute and left - 1 or perMinute - 1
  if left <= target or left == 0 then return nowMs end
  left = left - s.firstUsed
  local endsAt, at = max(nowMs, s.firstEndsAt), 1 + ENTRY_LENGTH
  while left > target and at <= #s.log do
    local _, _, used, ends = entryAt(s, at)
    left, endsAt, at = left - used, max(endsAt, ends), at + ENTRY_LENGTH
  end
  return endsAt
end

-- Joins entries {first, span, used} with those of a log; isSum where neither history is in the other.
local function join(s, others, isSum)
  local byFirst, sorted = {}, {}
  local function add(entry)
    local same = byFirst[entry[1]]
    if not same then
      byFirst[entry[1]], sorted[#sorted + 1] = entry, entry
    else
      same[2] = max(same[2], entry[2])
      same[3] = isSum and min(MOST_IN_ENTRY, same[3] + entry[3]) or max(same[3], entry[3])
    end
  end
  for at = 1, #s.log, ENTRY_LENGTH do
    local first, span, used = entryAt(s, at)
    add({first, span, used})
  end
  for _, entry in ipairs(others) do add(entry) end
  table.sort(sorted, function(one, two) return one[1] < two[1] end)
  local surplus = #sorted - MOST_ENTRIES + 1
  if surplus >= 2 then
    local oldest = sorted[1]
    local lastMs = oldest[1] + oldest[2]
    for _ = 2, surplus do
      local entry = table.remove(sorted, 2)
      lastMs, oldest[3] = max(lastMs, entry[1] + entry[2]), min(MOST_IN_ENTRY, oldest[3] + entry[3])
    end
    oldest[2] = min(lastMs - oldest[1], LONGEST_SPAN_MS)
  end
  local packed, used = {}, 0
  for i, entry in ipairs(sorted) do
    packed[i], used = pack(ENTRY, entry[1] % CLOCK, entry[2], entry[3]), used + entry[3]
    s.newest = entry[1] + entry[2]
  end
  s.log, s.used, s.entries = table.concat(packed), used, #sorted
  dropExpired(s)
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

-- A value of another length is nobody's that this script wrote: it must not make the batch fail for all that are in it.
local function isConduct(text)
  if #text < CONDUCT_LENGTH + 1 then return false end
  local keysAt = CONDUCT_LENGTH + 1 + string.byte(text, CONDUCT_LENGTH) * STRIKE_LENGTH
  return #text >= keysAt and #text == keysAt + string.byte(text, keysAt) * KEY_LENGTH
end

local function conductOf(s)
  if s.conduct then return s.conduct end
  local c, text = {step = 0, cleanSince = 0, strikes = {}, keys = {}}, s.rest
  s.conduct = c
  if not isConduct(text) then return c end
  local newest, strikes, at
  c.step, c.cleanSince, newest, strikes, at = unpack(CONDUCT, text)
  for _ = 1, strikes do
    local before
    before, at = unpack(STRIKE, text, at)
    local strike = newest - before
    if strike > nowMs - STRIKES_KEPT_MS and strike <= nowMs then c.strikes[#c.strikes + 1] = strike end
  end
  local keys
  keys, at = unpack('B', text, at)
  for _ = 1, keys do
    local key = {}
    key.id, key.refusedAtMs, key.refusedUntilMs, key.bannedAtMs, key.bannedUntil, key.step, at = unpack(KEY, text, at)
    if keptUntilMs(key) > nowMs then c.keys[#c.keys + 1] = key end
  end
  forgetCleanDays(c)
  return c
end

local function packConduct(c)
  if c.step == 0 and #c.strikes == 0 and #c.keys == 0 then return '' end
  local newest = #c.strikes > 0 and c.strikes[#c.strikes] or 0
  local parts = {pack(CONDUCT, c.step, c.cleanSince, newest, #c.strikes)}
  for _, strike in ipairs(c.strikes) do parts[#parts + 1] = pack(STRIKE, newest - strike) end
  parts[#parts + 1] = pack('B', #c.keys)
  for _, key in ipairs(c.keys) do
    parts[#parts + 1] = pack(KEY, key.id, key.refusedAtMs, key.refusedUntilMs, key.bannedAtMs, key.bannedUntil, key.step)
  end
  return table.concat(parts)
end

local function find(c, id)
  for i, key in ipairs(c.keys) do
    if key.id == id then return key, i end
  end
end

local function keep(c, key)
  local _, index = find(c, key.id)
  if keptUntilMs(key) <= nowMs then
    if index then table.remove(c.keys, index) end
    return
  end
  c.keys[index or #c.keys + 1] = key
  if #c.keys <= MOST_KEYS then return end
  local first = 1
  for i = 2, #c.keys do
    if keptUntilMs(c.keys[i]) < keptUntilMs(c.keys[first]) then first = i end
  end
  table.remove(c.keys, first)
end

local function lift(s, c, id, liftedAt)
  local key, index = find(c, id)
  if liftedAt == 0 or not key or key.bannedAtMs == 0 or liftedAt < key.bannedAtMs then return end
  table.remove(c.keys, index)
  c.step, c.cleanSince, c.strikes = max(0, c.step - 1), min(c.cleanSince, floor(liftedAt / 1000)), {}
  forgetCleanDays(c)
  s.changed = true
end

local function isBanned(key) return key and key.bannedUntil * 1000 > nowMs end

local function ignored(s, c, id, firstMs, lastMs)
  local key = find(c, id)
  if not key or firstMs >= key.refusedUntilMs or firstMs < key.refusedAtMs then return end
  local atMs = max(firstMs, key.refusedAtMs + GRACE_MS + 1, (c.strikes[#c.strikes] or 0) + STRIKE_MS)
  if atMs > lastMs then return end
  s.changed = true
  c.strikes[#c.strikes + 1] = atMs
  if #c.strikes > STRIKES then table.remove(c.strikes, 1) end
  if c.step > 0 then c.cleanSince = max(c.cleanSince, floor(atMs / 1000)) end
  if #c.strikes < STRIKES or atMs - c.strikes[1] >= BAN_WITHIN_MS then return end
  c.step = min(c.step + 1, #BANS)
  local bannedUntil = math.ceil(atMs / 1000) + BANS[c.step]
  c.cleanSince = max(c.cleanSince, bannedUntil)
  keep(c, {id = id, refusedAtMs = 0, refusedUntilMs = 0, bannedAtMs = atMs, bannedUntil = bannedUntil, step = c.step})
end

local function refused(s, c, id, untilMs)
  local key = find(c, id)
  if key and nowMs < key.refusedUntilMs then return ignored(s, c, id, nowMs, nowMs) end
  s.changed = true
  local before = key or {bannedAtMs = 0, bannedUntil = 0, step = 0}
  keep(c, {id = id, refusedAtMs = nowMs, refusedUntilMs = untilMs,
    bannedAtMs = before.bannedAtMs, bannedUntil = before.bannedUntil, step = before.step})
end

local function admitted(s, c, id)
  local key = find(c, id)
  if not key or key.refusedUntilMs == 0 then return end
  key.refusedAtMs, key.refusedUntilMs = 0, 0
  keep(c, key)
  s.changed = true
end

-- states ------------------------------------------------------------------------------------------------------------

local function isState(text)
  return #text >= HEADER_LENGTH and #text >= HEADER_LENGTH + string.byte(text, HEADER_LENGTH) * ENTRY_LENGTH
end

local function read(text)
  local incarnation, revision, day, dayCount, newest, used, entries = unpack(HEADER, text)
  local restAt = HEADER_LENGTH + 1 + entries * ENTRY_LENGTH
  local s = {incarnation = incarnation, revision = revision, day = day, dayCount = dayCount, newest = newest, used = used,
    entries = entries, log = sub(text, HEADER_LENGTH + 1, restAt - 1), rest = sub(text, restAt)}
  if newest > nowMs then setBack(s) end
  dropExpired(s)
  -- A day that a clock, set back by less than a day, has already begun goes on.
  if day ~= today + 1 and day ~= today then
    s.day = today
    if day < today then s.dayCount = 0 end
  end
  return s
end

-- redis.call formats a number anew each time.
local formatted = {}
local function seconds(count)
  formatted[count] = formatted[count] or string.format('%d', count)
  return formatted[count]
end

local function write(i, s)
  local rest, ttl = s.rest, (s.hasDay and DAY - now % DAY or 0) + 62
  if s.conduct or #rest > 0 then
    local c = conductOf(s)
    rest = packConduct(c)
    if #c.strikes > 0 then ttl = max(ttl, math.ceil((c.strikes[#c.strikes] + STRIKES_KEPT_MS) / 1000) - now) end
    if c.step > 0 then ttl = max(ttl, c.cleanSince + c.step * DAY - now) end
    for _, key in ipairs(c.keys) do ttl = max(ttl, math.ceil(keptUntilMs(key) / 1000) - now) end
  end
  local newest = s.entries > 0 and s.newest or 0
  local revision = (s.revision + 1) % 4294967296
  local text = pack(HEADER, s.incarnation, revision, s.day, s.dayCount, newest, s.used, s.entries) .. s.log .. rest
  redis.call('SETEX', KEYS[i], seconds(ttl), text)
  return text
end

-- Takes from a seed, the state that the caller received last, what Redis has lost.
local function remember(s, text)
  local seed = read(text)
  local entries = {}
  for at = 1, #seed.log, ENTRY_LENGTH do
    local first, span, used = entryAt(seed, at)
    entries[#entries + 1] = {first, span, used}
  end
  join(s, entries, false)
  if seed.day == s.day then s.dayCount = max(s.dayCount, seed.dayCount) end
  if seed.incarnation == s.incarnation then s.revision = max(s.revision, seed.revision) end
  if #s.rest == 0 and not s.conduct then s.rest = seed.rest end
  s.changed = true
end

-- Counts what the caller admitted while Redis did not answer; its clock may be ahead.
local function pay(s)
  local day, dayCount, entries
  day, dayCount, entries, position = unpack('>I2I4B', batch, position)
  local owed = {}
  for _ = 1, entries do
    local first, span, used
    first, span, used, position = unpack('>I6I2I3', batch, position)
    local last = min(first + span, nowMs)
    first = min(first, nowMs)
    if last + MINUTE_MS > nowMs then owed[#owed + 1] = {first, last - first, used} end
  end
  join(s, owed, true)
  if day >= s.day then s.dayCount = s.dayCount + dayCount end
  s.changed = true
end

local states = {}
local function stateOf(i)
  local text = stored[i]
  local isKnown = text and isState(text)
  local s = isKnown and read(text) or {incarnation = max(1, nowMs % 4294967296), revision = 0, day = today, dayCount = 0,
    newest = 0, used = 0, entries = 0, log = '', rest = ''}
  s.text = isKnown and text or ''
  states[i] = s
  return s
end

-- decisions ---------------------------------------------------------------------------------------------------------

local function has(flags, flag) return flags % (2 * flag) >= flag end

local function spend(s, cost, perMinute)
  spendMinute(s, cost, perMinute)
  s.dayCount, s.changed = s.dayCount + cost, true
end

-- What comes with few decisions: a seed, a debt, requests that were answered from memory. Whether there was a seed, and those requests.
local function extras(s, flags, isLost)
  local ignoring
  if has(flags, HAS_SEED) then
    local length
    length, position = unpack('>I2', batch, position)
    local seed = sub(batch, position, position + length - 1)
    if isLost and isState(seed) then remember(s, seed) end
    position = position + length
  end
  if has(flags, HAS_DEBT) then pay(s) end
  if has(flags, HAS_IGNORED) then
    ignoring = {}
    ignoring.firstMs, ignoring.lastMs, position = unpack('>I6I6', batch, position)
  end
  return has(flags, HAS_SEED), ignoring
end

-- The kind of the answer, whether it spent something, and the key's ban.
local function decide(s, ask)
  local id, liftedAt, c
  if ask.keyAt then id, liftedAt = unpack(KEY_FIELDS, batch, ask.keyAt) end
  if id and (s.conduct or #s.rest > 0) then
    c = conductOf(s)
    lift(s, c, id, liftedAt)
    local isBefore, ignoring = isBanned(find(c, id)), ask.ignoring
    if ignoring then ignored(s, c, id, ignoring.firstMs, ignoring.lastMs) end
    local key = find(c, id)
    if isBanned(key) then return BANNED + (isBefore and 0 or BEGINS), false, key end
  end
  local minutePasses, dayPasses = s.used < ask.perMinute, not ask.perDay or s.dayCount < ask.perDay
  if minutePasses and dayPasses then
    if ask.cost == 0 then return ALLOWED, false end
    spend(s, ask.cost, ask.perMinute)
    if c then admitted(s, c, id) end
    return ALLOWED, true
  end
  if not id or ask.cost == 0 then return LIMITED, false end
  local untilMs = max(minutePasses and 0 or minuteResetsAt(s, ask.perMinute), dayPasses and 0 or (s.day + 1) * DAY_MS)
  c = conductOf(s)
  refused(s, c, id, untilMs)
  local key = find(c, id)
  if isBanned(key) then return BANNED + BEGINS, false, key end
  return LIMITED, false
end

local answers, spent = {}, {}
for i = 1, count do
  local index, flags, cost, perMinute, perDay, incarnation, revision, keyAt
  index, flags, cost, perMinute, perDay, incarnation, revision, position = unpack(ASK, batch, position)
  if has(flags, HAS_KEY) then keyAt, position = position, position + KEY_FIELDS_LENGTH end
  if perDay == NO_DAY then perDay = nil end
  local s = states[index + 1] or stateOf(index + 1)
  s.hasDay = s.hasDay or perDay
  local isSeeded, ignoring = false, nil
  local isLost = incarnation > 0 and (incarnation ~= s.incarnation or revision > s.revision)
  if flags > HAS_KEY then isSeeded, ignoring = extras(s, flags, isLost) end
  local kind, isSpent, ban = ALLOWED, false, nil
  if isLost and not isSeeded then
    kind = SEED_WANTED
  elseif not s.conduct and #s.rest == 0 and s.used < perMinute and (not perDay or s.dayCount < perDay) then
    isSpent = cost > 0
    if isSpent then spend(s, cost, perMinute) end
  else
    kind, isSpent, ban = decide(s, {cost = cost, perMinute = perMinute, perDay = perDay, keyAt = keyAt, ignoring = ignoring})
  end
  answers[i] = pack(ANSWER, kind, s.used, minuteResetsAt(s, perMinute), s.day, s.dayCount,
    ban and ban.bannedUntil or 0, ban and ban.step or 0)
  spent[i] = isSpent
end

-- store and return --------------------------------------------------------------------------------------------------

local reply = {nowMs, remembered, table.concat(answers)}
for i = 2, #KEYS do
  local s = states[i]
  reply[i + 2] = s.changed and write(i, s) or s.text
end

-- The process asks what became of a batch that it got no answer for: of the last two, which decisions spent something.
local function bits()
  local bytes = {}
  for from = 1, count, 8 do
    local byte = 0
    for bit = 0, 7 do
      if spent[from + bit] then byte = byte + 2 ^ bit end
    end
    bytes[#bytes + 1] = string.char(byte)
  end
  return table.concat(bytes)
end
if count == 0 then
  redis.call('SET', KEYS[1], pack('>I6', number) .. sub(remembered, 7), 'EX', BATCHES_KEPT_S)
else
  local result = bits()
  local before = ''
  if #remembered > 6 then
    local _, length = unpack('>I6B', remembered, 7)
    before = sub(remembered, 7, 13 + length)
  end
  redis.call('SET', KEYS[1], pack('>I6', number) .. pack('>I6B', number, #result) .. result .. before, 'EX', BATCHES_KEPT_S)
end
return reply
