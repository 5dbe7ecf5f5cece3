-- Sends requests and shows how they fare; the server does the sending, this only asks and draws.
local client = require('postkit.client')
local config = require('postkit.config')
local results = require('postkit.results')

local M = {}

---@class postkit.Send
---@field bufnr integer
---@field client integer
---@field marks integer[]
---@field started integer milliseconds of the event loop's clock

-- Sends under way.
---@type table<integer, postkit.Send>
local sends = {}
local count = 0
local ticker ---@type uv.uv_timer_t?

--- How many sends are under way.
function M.running()
  return vim.tbl_count(sends)
end

--- The row (from 0) of the request line of the block around a row: where its result is drawn.
--- The server decides what a request is; this guess only places a mark until its answer comes.
---@param bufnr integer
---@param row integer
---@return integer?
function M.request_row(bufnr, row)
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  local first = row
  while first > 0 and not vim.startswith(lines[first + 1] or '', '###') do
    first = first - 1
  end
  local script = false
  for index = first, #lines - 1 do
    local text = lines[index + 1]
    if index > first and vim.startswith(text, '###') then
      return nil
    elseif script then
      script = not text:find('%}', 1, true)
    elseif text:match('^<%s*{%%') then
      script = not text:find('%}', 1, true)
    elseif
      not text:match('^%s*$')
      and not text:match('^%s*#')
      and not text:match('^%s*//')
      and not text:match('^[@<]')
      and not text:match('^import%s')
      and not text:match('^run%s')
    then
      return index
    end
  end
end

---@param bufnr integer
---@return integer[]
local function request_rows(bufnr)
  local rows = {}
  for index, text in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
    if index == 1 or vim.startswith(text, '###') then
      rows[#rows + 1] = M.request_row(bufnr, index - 1)
    end
  end
  return rows
end

--- A duration for a person.
---@param milliseconds number
function M.duration(milliseconds)
  return milliseconds < 10000 and ('%.0f ms'):format(milliseconds)
    or ('%.1f s'):format(milliseconds / 1000)
end

--- A number of bytes for a person.
---@param bytes number
function M.size(bytes)
  if bytes < 1000 then
    return ('%.0f B'):format(bytes)
  end
  return bytes < 1e6 and ('%.1f kB'):format(bytes / 1000) or ('%.1f MB'):format(bytes / 1e6)
end

local function failed_tests(reply)
  return type(reply.tests) == 'table' and reply.tests.failed or 0
end

local function reason(reply)
  return type(reply.error) == 'table' and reply.error.message or 'unknown'
end

--- A reply in a few words.
---@param reply table
function M.describe(reply)
  if reply.state == 'cancelled' then
    return 'cancelled after ' .. M.duration(reply.ms)
  elseif reply.state == 'failed' then
    return 'failed: ' .. reason(reply)
  end
  local status = vim.trim(reply.status .. ' ' .. (reply.reason or ''))
  local words = ('%s  %s  %s'):format(status, M.duration(reply.ms), M.size(reply.size))
  local failed = failed_tests(reply)
  return failed == 0 and words
    or ('%s  %d of %d tests failed'):format(words, failed, failed + reply.tests.passed)
end

local function state(reply)
  local bad = reply.state == 'done' and (reply.status >= 400 or failed_tests(reply) > 0)
  return bad and 'failed' or reply.state
end

-- Shows how long each send has taken, once a second while there is one.
local function tick()
  for _, send in pairs(sends) do
    local seconds = math.floor((vim.uv.now() - send.started) / 1000)
    for _, mark in ipairs(send.marks) do
      local row = results.row(send.bufnr, mark)
      if row then
        results.set(send.bufnr, row, 'sending', ('sending... %d s'):format(seconds))
      end
    end
  end
end

---@param bufnr integer
---@param id integer
---@param rows integer[]
---@return integer
local function begin(bufnr, id, rows)
  count = count + 1
  local marks = vim.tbl_map(function(row)
    return results.set(bufnr, row, 'sending', 'sending...')
  end, rows)
  sends[count] = { bufnr = bufnr, client = id, marks = marks, started = vim.uv.now() }
  if not ticker then
    ticker = assert(vim.uv.new_timer())
    ticker:start(1000, 1000, vim.schedule_wrap(tick))
  end
  return count
end

---@param key integer
---@return postkit.Send?
local function finish(key)
  local send = sends[key]
  sends[key] = nil
  if ticker and not next(sends) then
    ticker:close()
    ticker = nil
  end
  return send
end

local function draw(bufnr, row, reply)
  if row then
    results.set(bufnr, row, state(reply), M.describe(reply), reply)
  end
end

-- Nothing was sent: says why, and at which place when the server knows it.
local function refused(bufnr, row, error)
  local message = error.code == -32800 and 'cancelled' or error.message or 'unknown'
  if row then
    results.set(bufnr, row, 'failed', 'not sent: ' .. vim.split(message, '\n')[1])
  end
  local line = vim.tbl_get(error, 'data', 'range', 'start', 'line')
  config.complain((line and ('line %d: '):format(line + 1) or '') .. message)
end

-- Lets the user's autocommands see a reply.
local function announce(reply)
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'PostKitResponse',
    modeline = false,
    data = reply,
  })
end

local function sent(key, id, error, reply)
  local send = finish(key)
  if not send then
    return
  end
  local row = results.row(send.bufnr, send.marks[1])
  if error then
    return refused(send.bufnr, row, error)
  end
  draw(send.bufnr, row, reply)
  client.refresh(id)
  if reply.state == 'failed' then
    config.complain(reason(reply))
  end
  local response = require('postkit.response')
  local uri = type(reply.uri) == 'string' and reply.uri or nil
  if uri and config.get('open') == 'auto' then
    response.open(id, uri, false)
  elseif not uri then
    response.replace(M.describe(reply))
  end
  announce(reply)
end

local function sent_all(key, id, error, replies)
  local send = finish(key)
  if not send then
    return
  end
  local rows = vim.tbl_map(function(mark)
    return results.row(send.bufnr, mark) or false
  end, send.marks)
  for index, row in ipairs(rows) do
    if row then
      results.clear(send.bufnr, row)
      if not error and #replies == #rows then
        draw(send.bufnr, row, replies[index])
      end
    end
  end
  if error then
    return refused(send.bufnr, nil, error)
  end
  client.refresh(id)
  local failures = 0
  for _, reply in ipairs(replies) do
    failures = failures + (reply.state == 'done' and 0 or 1)
    announce(reply)
  end
  local tell = failures > 0 and config.complain or config.say
  tell(('sent %d, %d failed'):format(#replies, failures))
end

--- Sends one request: the one at `argument.position`, or named `argument.name`, else the one under
--- the cursor.
---@param bufnr integer
---@param argument table?
function M.send(bufnr, argument)
  argument = vim.deepcopy(argument or {})
  if not argument.position and not argument.name then
    argument.position = { line = vim.api.nvim_win_get_cursor(0)[1] - 1, character = 0 }
  end
  argument.uri = argument.uri or vim.uri_from_bufnr(bufnr)
  client.with(bufnr, function(server)
    local row = argument.position and M.request_row(bufnr, argument.position.line)
    local known = row and results.at(bufnr, row)
    if known and known.state == 'sending' then
      return config.say('this request is under way; :PostKit cancel ends it')
    end
    local key = begin(bufnr, server.id, { row })
    client.execute(server, 'postkit.send', argument, function(error, reply)
      sent(key, server.id, error, reply)
    end, bufnr)
  end)
end

--- Sends what stands in no buffer, such as a stored request or one of the history.
---@param bufnr integer where it is asked for
---@param command string
---@param argument table
function M.run(bufnr, command, argument)
  local server = client.of(bufnr) or client.any()
  if not server then
    return config.complain('the server does not run; :PostKit start in a request file runs it')
  end
  local key = begin(bufnr, server.id, {})
  client.execute(server, command, argument, function(error, reply)
    sent(key, server.id, error, reply)
    if reply and config.get('open') ~= 'auto' then
      config.say(M.describe(reply))
    end
  end, bufnr)
end

--- Sends every request of a buffer, in order.
---@param bufnr integer
function M.send_all(bufnr)
  client.with(bufnr, function(server)
    local key = begin(bufnr, server.id, request_rows(bufnr))
    local argument = { uri = vim.uri_from_bufnr(bufnr) }
    client.execute(server, 'postkit.sendAll', argument, function(error, replies)
      sent_all(key, server.id, error, replies)
    end, bufnr)
  end)
end

--- Cancels the send under the cursor, else every send.
---@param bufnr integer
function M.cancel(bufnr)
  local server = client.any()
  if not server then
    return config.say('nothing is under way')
  end
  local row = M.request_row(bufnr, vim.api.nvim_win_get_cursor(0)[1] - 1)
  local known = row and results.at(bufnr, row)
  local argument = {}
  if known and known.state == 'sending' then
    argument = {
      uri = vim.uri_from_bufnr(bufnr),
      position = { line = row, character = 0 },
    }
  end
  client.execute(server, 'postkit.cancel', argument, function(error)
    if error then
      config.complain(error.message)
    end
  end, bufnr)
end

--- Ends what a server that is gone can no longer answer.
---@param id integer
function M.lost(id)
  for key, send in pairs(sends) do
    if send.client == id then
      finish(key)
      for _, mark in ipairs(send.marks) do
        local row = results.row(send.bufnr, mark)
        if row then
          results.set(send.bufnr, row, 'failed', 'failed: the server ended')
        end
      end
    end
  end
end

return M
