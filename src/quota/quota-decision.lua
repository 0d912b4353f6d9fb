-- One decision over ban, minute and day together (in TypeScript: quota-windows.ts, ban-state.ts, quota-decision.ts).
--
-- KEYS  1 the budget's state, followed by the account's strikes and bans
--       2 the key's state; KEYS[1] again when there is no key   3 the debt that is paid back
-- ARGV  1 limit per minute   2 limit per day, -1 for none   3 1 with a key   4 lifted at (Unix ms, 0 never)
--       5 how much to spend, 0 only to read   6 seed of the budget   7 seed of the key: the state that the caller last
--       received, in case Redis has lost it
--       8 the debt's id, '' for none   9 its day   10 its count of that day   11… bucket and count, in pairs
-- Returns now (ms), kind, minute's remaining and reset, day's remaining and reset, binding, retry after, ban's end,
--       seconds and step, whether it begins with this request, and the packed budget and key states afterwards.

local BUCKET_MS, BUCKET_S, KEPT, DAY = 10000, 10, 7, 86400
local GRACE_MS, FORGIVEN, STRIKES, STRIKES_KEPT = 2000, 50, 20, 600
local BANS = {60, 300, 1800, 7200, 86400}
local CONDUCT, BUDGET_LENGTH, KEY_LENGTH = '>I1I4I1', 40, 27
local BUDGET, KEY = '>I4I4I4I4I4I4I4I4I4I4', '>I8I4I2I8I4I1'

local time = redis.call('TIME')
local nowMs = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local now = math.floor(nowMs / 1000)
local perMinute, perDay = tonumber(ARGV[1]), tonumber(ARGV[2])
local hasDay = perDay >= 0
local hasKey, liftedAt, cost = ARGV[3] == '1', tonumber(ARGV[4]), tonumber(ARGV[5])
local spend = cost > 0

-- budget ------------------------------------------------------------------------------------------------------------

local b = {bucket = 0, counts = {0, 0, 0, 0, 0, 0, 0}, day = 0, dayCount = 0}

local function readBudget(text)
  if #text < BUDGET_LENGTH then return nil end
  local f = {struct.unpack(BUDGET, text)}
  return {bucket = f[1], counts = {f[2], f[3], f[4], f[5], f[6], f[7], f[8]}, day = f[9], dayCount = f[10]}
end

local function shift(bucket, day)
  local moved = math.min(bucket - b.bucket, KEPT)
  if moved > 0 then
    for i = KEPT, 1, -1 do b.counts[i] = i <= moved and 0 or b.counts[i - moved] end
    b.bucket = bucket
  end
  if day > b.day then b.day, b.dayCount = day, 0 end
end

-- A seed was the state once, and counts only grow: where Redis has less, it has lost data.
local function remember(seed)
  shift(seed.bucket, seed.day)
  local age = b.bucket - seed.bucket
  for i = 1, KEPT - age do b.counts[i + age] = math.max(b.counts[i + age], seed.counts[i]) end
  if seed.day == b.day then b.dayCount = math.max(b.dayCount, seed.dayCount) end
end

local function minuteLeft()
  local full = 0
  for i = 1, KEPT - 1 do full = full + b.counts[i] end
  local share = BUCKET_MS - math.max(0, nowMs - b.bucket * BUCKET_MS)
  return math.max(0, math.floor(((perMinute - full) * BUCKET_MS - b.counts[KEPT] * share) / BUCKET_MS))
end

-- The first whole second at which one more request is left than now.
local function minuteReset(remaining)
  if remaining >= perMinute then return now end
  local full = 0
  for i = 1, KEPT - 1 do full = full + b.counts[i] end
  for ahead = 0, KEPT - 1 do
    local startsAt = (b.bucket + ahead) * BUCKET_S
    local oldest = b.counts[KEPT - ahead]
    local room = (perMinute - remaining - 1 - full) * BUCKET_MS
    if room >= 0 then
      local offset = math.max(0, now + 1 - startsAt)
      if oldest > 0 then offset = math.max(offset, math.ceil((BUCKET_MS - math.floor(room / oldest)) / 1000)) end
      if offset < BUCKET_S then return startsAt + offset end
    end
    full = full - (b.counts[KEPT - 1 - ahead] or 0)
  end
  return (b.bucket + KEPT) * BUCKET_S
end

local function dayWindow()
  return math.max(0, perDay - b.dayCount), (b.day + 1) * DAY
end

local stored = redis.call('GET', KEYS[1])
b = stored and readBudget(stored) or b
local seed = stored ~= ARGV[6] and readBudget(ARGV[6])
if seed then remember(seed) end
shift(math.floor(nowMs / BUCKET_MS), math.floor(now / DAY))
local paid = ARGV[8] ~= '' and redis.call('SET', KEYS[3], '1', 'NX', 'EX', 300)
if paid then
  -- The caller's clock may be ahead: a day or bucket in the future counts as the current one.
  if tonumber(ARGV[9]) >= b.day then b.dayCount = b.dayCount + tonumber(ARGV[10]) end
  for i = 11, #ARGV, 2 do
    local index = math.max(1, b.bucket - tonumber(ARGV[i]) + 1)
    if index <= KEPT then b.counts[index] = b.counts[index] + tonumber(ARGV[i + 1]) end
  end
end

-- strikes and bans --------------------------------------------------------------------------------------------------

local k = {refusedAtMs = 0, refusedUntil = 0, forgiven = 0, bannedAtMs = 0, bannedUntil = 0, step = 0}
local a = {step = 0, cleanSince = 0, strikes = {}}

local function readKey(text)
  if #text < KEY_LENGTH then return end
  local f = {struct.unpack(KEY, text)}
  k = {refusedAtMs = f[1], refusedUntil = f[2], forgiven = f[3], bannedAtMs = f[4], bannedUntil = f[5], step = f[6]}
end

local function readConduct(text)
  local f = {struct.unpack(CONDUCT, text)}
  if #text < 6 + f[3] * 4 then return end
  local strikes = {}
  for i = 1, f[3] do strikes[i] = struct.unpack('>I4', text, 3 + i * 4) end
  a = {step = f[1], cleanSince = f[2], strikes = strikes}
end

local function packConduct()
  local text = struct.pack(CONDUCT, a.step, a.cleanSince, #a.strikes)
  for _, at in ipairs(a.strikes) do text = text .. struct.pack('>I4', at) end
  return text
end

local function forgetCleanDays()
  local days = math.max(0, math.min(a.step, math.floor((now - a.cleanSince) / DAY)))
  a.step = a.step - days
  a.cleanSince = a.cleanSince + days * DAY
end

local function forgetStrikes()
  local kept = {}
  for _, at in ipairs(a.strikes) do
    if at > now - STRIKES_KEPT then kept[#kept + 1] = at end
  end
  a.strikes = kept
end

-- Strikes and bans behind the budget are used even when there are none left; when nothing is stored there, Redis may
-- have lost them, and the seed is used.
local conductText = string.sub(stored or '', BUDGET_LENGTH + 1)
if #conductText < 6 then conductText = string.sub(ARGV[6], BUDGET_LENGTH + 1) end
local known = false
if hasKey then
  if #conductText >= 6 then readConduct(conductText) end
  local text = redis.call('GET', KEYS[2])
  known = text and true
  readKey(text or ARGV[7])
  if k.bannedAtMs > 0 and now >= k.bannedUntil + DAY then k.bannedAtMs, k.bannedUntil, k.step = 0, 0, 0 end
  forgetCleanDays()
  forgetStrikes()
  if liftedAt > 0 and k.bannedAtMs > 0 and liftedAt >= k.bannedAtMs then
    k = {refusedAtMs = 0, refusedUntil = 0, forgiven = 0, bannedAtMs = 0, bannedUntil = 0, step = 0}
    a = {step = math.max(0, a.step - 1), cleanSince = math.min(a.cleanSince, math.floor(liftedAt / 1000)), strikes = {}}
    forgetCleanDays()
  end
end

local function refused(untilSecond)
  if nowMs >= k.refusedUntil * 1000 then
    k.refusedAtMs, k.refusedUntil, k.forgiven = nowMs, untilSecond, 0
  elseif nowMs - k.refusedAtMs <= GRACE_MS and k.forgiven < FORGIVEN then
    k.forgiven = k.forgiven + 1
  else
    a.strikes[#a.strikes + 1] = now
    if #a.strikes > STRIKES then table.remove(a.strikes, 1) end
    a.cleanSince = math.max(a.cleanSince, now)
    if #a.strikes >= STRIKES then
      a.step = math.min(a.step + 1, #BANS)
      local bannedUntil = math.ceil(nowMs / 1000) + BANS[a.step]
      a.cleanSince = math.max(a.cleanSince, bannedUntil)
      k = {refusedAtMs = 0, refusedUntil = 0, forgiven = 0, bannedAtMs = nowMs, bannedUntil = bannedUntil, step = a.step}
    end
  end
end

-- decision ----------------------------------------------------------------------------------------------------------

local function isBanned() return k.bannedUntil * 1000 > nowMs end

local kind, binding, retryAfter, begins = 'allowed', 'minute', 0, 0
local minuteRemaining = minuteLeft()
local dayRemaining, dayReset = dayWindow()
local minutePasses, dayPasses = minuteRemaining > 0, not hasDay or dayRemaining > 0
local passes = minutePasses and dayPasses

if not isBanned() and passes and spend then
  b.counts[1] = b.counts[1] + cost
  b.dayCount = b.dayCount + cost
  k.refusedAtMs, k.refusedUntil, k.forgiven = 0, 0, 0
  minuteRemaining = minuteLeft()
  dayRemaining = dayWindow()
end
local minuteResetAt = minuteReset(minuteRemaining)

if isBanned() then
  kind = 'banned'
elseif passes then
  local isTie = dayRemaining == minuteRemaining
  if hasDay and (dayRemaining < minuteRemaining or (isTie and dayReset > minuteResetAt)) then binding = 'day' end
else
  local minuteUntil = minutePasses and 0 or minuteResetAt
  local dayUntil = dayPasses and 0 or dayReset
  local untilSecond = math.max(minuteUntil, dayUntil)
  if dayUntil > minuteUntil then binding = 'day' end
  if hasKey and spend then refused(untilSecond) end
  if isBanned() then
    kind, begins, binding = 'banned', 1, 'minute'
  else
    kind, retryAfter = 'limited', untilSecond - now
  end
end
if kind == 'banned' then
  minuteRemaining, minuteResetAt, retryAfter = 0, k.bannedUntil, k.bannedUntil - now
end

-- store and return --------------------------------------------------------------------------------------------------

local c = b.counts
if hasKey then
  local isClean = a.step == 0 and #a.strikes == 0
  if isClean and #conductText < 6 then conductText = '' else conductText = packConduct() end
end
local budgetText = struct.pack(BUDGET, b.bucket, c[1], c[2], c[3], c[4], c[5], c[6], c[7], b.day, b.dayCount) .. conductText
local keyText = ''
if spend or paid then
  local last = a.strikes[#a.strikes]
  local heldUntil = math.max(last and last + STRIKES_KEPT or 0, a.step > 0 and a.cleanSince + a.step * DAY or 0)
  local ttl = (hasDay and DAY - now % DAY or 0) + KEPT * BUCKET_S
  redis.call('SET', KEYS[1], budgetText, 'EX', math.max(ttl, heldUntil - now))
end
if hasKey then
  local keepUntil = math.max(k.refusedUntil, k.bannedAtMs > 0 and k.bannedUntil + DAY or 0)
  if keepUntil > now then
    keyText = struct.pack(KEY, k.refusedAtMs, k.refusedUntil, k.forgiven, k.bannedAtMs, k.bannedUntil, k.step)
    if spend then redis.call('SET', KEYS[2], keyText, 'EX', keepUntil - now) end
  elseif spend and known then
    redis.call('DEL', KEYS[2])
  end
end

return {nowMs, kind, minuteRemaining, minuteResetAt, dayRemaining, dayReset, binding, retryAfter,
  k.bannedUntil, BANS[k.step] or 0, k.step, begins, budgetText, keyText}
