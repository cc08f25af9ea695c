-- KEYS[1]: the generation key; KEYS[2..]: queue names
-- Returns {generation, {jobs of each queue}}; a task's id begins with the number of jobs it holds.
local function jobs(ids)
    local sum = 0
    for _, id in ipairs(ids) do
        sum = sum + (tonumber(string.match(id, '^%d+')) or 1)
    end
    return sum
end

local counts = {}
for i = 2, #KEYS do
    local queue = KEYS[i]
    local sum = jobs(redis.call('lrange', queue .. ':active', 0, -1)) + jobs(redis.call('zrange', queue .. ':scheduled', 0, -1))
    for _, worker in ipairs(redis.call('zrange', queue .. ':workers', 0, -1)) do
        sum = sum + jobs(redis.call('smembers', queue .. ':inflight:' .. worker))
    end
    counts[#counts + 1] = sum
end
return {redis.call('get', KEYS[1]), counts}
