-- Says what became of a request in a few words.
local M = {}

--- A duration for a person, as the server writes it: from one second on with a tenth of one.
---@param milliseconds number
function M.duration(milliseconds)
  if milliseconds < 1000 then
    return ('%d ms'):format(math.floor(milliseconds))
  elseif milliseconds < 59950 then
    return ('%.1f s'):format(math.floor((milliseconds + 50) / 100) / 10)
  end
  local seconds = math.floor((milliseconds + 500) / 1000)
  return ('%d min %d s'):format(math.floor(seconds / 60), seconds % 60)
end

--- A number of bytes for a person.
---@param bytes number
function M.size(bytes)
  if bytes < 1000 then
    return ('%.0f B'):format(bytes)
  end
  return bytes < 1e6 and ('%.1f kB'):format(bytes / 1000) or ('%.1f MB'):format(bytes / 1e6)
end

--- The beginning of a text that has room for so many columns, with a mark where it is not all.
---@param text string
---@param room integer
---@return string
function M.fit(text, room)
  if vim.api.nvim_strwidth(text) <= room then
    return text
  end
  local count = math.min(vim.fn.strchars(text), 4 * room)
  repeat
    count = count - 1
    local shown = vim.fn.strcharpart(text, 0, count) .. '…'
  until count <= 0 or vim.api.nvim_strwidth(shown) <= room
  return vim.fn.strcharpart(text, 0, count) .. '…'
end

--- A sentence without what explains it, for where there is little room; the message has it whole.
---@param sentence string
---@return string
function M.short(sentence)
  local short = sentence:gsub('\n.*', '')
  for _, mark in ipairs({ '%. ', ': ', '; ', ' %(' }) do
    short = short:gsub(mark .. '.*', '')
  end
  return (short:gsub('%.$', ''))
end

--- Why there is no response.
---@param reply PostkitSendResult
function M.reason(reply)
  return type(reply.error) == 'table' and reply.error.message or 'unknown'
end

--- What checks came to, in the server's words.
---@param tests {passed: integer, failed: integer}
---@return string
function M.tests(tests)
  if tests.failed > 0 then
    return ('%d of %d tests failed'):format(tests.failed, tests.passed + tests.failed)
  end
  return tests.passed == 1 and '1 test passed' or ('%d tests passed'):format(tests.passed)
end

-- How the checks of a request went, with what stands before it; nothing where it has none.
---@param reply PostkitSendResult
local function checks(reply)
  local tests = type(reply.tests) == 'table' and reply.tests or { passed = 0, failed = 0 }
  if tests.passed + tests.failed == 0 then
    return ''
  end
  return (tests.failed > 0 and '  ✗ ' or '  ✓ ') .. M.tests(tests)
end

-- Whether there was no send because a person said no.
---@param reply PostkitSendResult
local function was_declined(reply)
  return type(reply.error) == 'table' and reply.error.declined == true
end

--- A reply in a few words.
---@param reply PostkitSendResult
function M.describe(reply)
  if was_declined(reply) then
    return 'not sent'
  elseif reply.state == 'cancelled' then
    return 'cancelled after ' .. M.duration(reply.ms)
  elseif reply.state == 'failed' then
    return 'failed: ' .. M.short(M.reason(reply))
  end
  local status = vim.trim(reply.status .. ' ' .. (reply.reason or ''))
  return ('%s  %s  %s'):format(status, M.duration(reply.ms), M.size(reply.size)) .. checks(reply)
end

--- How the result of a reply is drawn.
---@param reply PostkitSendResult
---@return postkit.State
function M.state(reply)
  local failed = type(reply.tests) == 'table' and reply.tests.failed > 0
  local bad = reply.state == 'done' and (reply.status >= 400 or failed)
  return was_declined(reply) and 'cancelled' or bad and 'failed' or reply.state
end

-- What became of a request of several, in a word or two.
---@param reply PostkitSendResult
local function verdict(reply)
  if was_declined(reply) then
    return 'not sent'
  elseif reply.state ~= 'done' then
    return reply.state
  elseif reply.status >= 400 then
    return ('answered %dxx'):format(math.floor(reply.status / 100))
  end
  return M.state(reply) == 'done' and 'ok' or 'with failed tests'
end

--- What became of several requests, and whether all went well.
---@param replies PostkitSendResult[]
---@return string
---@return boolean
function M.summary(replies)
  local count = {}
  for _, reply in ipairs(replies) do
    local word = verdict(reply)
    count[word] = (count[word] or 0) + 1
  end
  local parts = { count.ok and count.ok .. ' ok' }
  for word, number in vim.spairs(count) do
    if word ~= 'ok' then
      parts[#parts + 1] = number .. ' ' .. word
    end
  end
  local text = #parts > 0 and table.concat(parts, ', ') or 'No requests were sent.'
  return text, (count.ok or 0) == #replies
end

--- What is known of a request that is on its way.
---@param seconds number since it was sent
---@param status integer? once the head has come
---@param received number? bytes of the body so far
function M.progress(seconds, status, received)
  local clock = seconds < 1 and ('%.1f s'):format(seconds) or M.duration(seconds * 1000)
  if not status then
    return 'sending… ' .. clock
  end
  return ('receiving… %d  %s  %s'):format(status, M.size(received or 0), clock)
end

return M
