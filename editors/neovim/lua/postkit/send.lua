-- Sends requests and shows how they fare; the server does the sending, this only asks and draws.
local client = require('postkit.client')
local config = require('postkit.config')
local live = require('postkit.live')
local results = require('postkit.results')
local rows = require('postkit.rows')
local words = require('postkit.words')

local M = {}

---@class postkit.Send
---@field bufnr integer
---@field client integer
---@field marks integer[]
---@field started integer milliseconds of the event loop's clock
---@field live postkit.Live? what has come of the response, where one request is sent

-- Sends under way.
---@type table<integer, postkit.Send>
local sends = {}
local count = 0
local ticker ---@type uv.uv_timer_t?

-- What was sent last: its place, and its exchange once there is one.
---@type {bufnr: integer, mark: integer?, id: string?}?
local last

--- How many sends are under way.
function M.running()
  return vim.tbl_count(sends)
end

-- Shows how long each send has taken and how much has come.
local function tick()
  for _, send in pairs(sends) do
    local seconds = (vim.uv.now() - send.started) / 1000
    local known = send.live or {}
    local text = words.progress(seconds, known.status, known.received)
    for _, mark in ipairs(send.marks) do
      local row = results.row(send.bufnr, mark)
      if row then
        results.set(send.bufnr, row, 'sending', text)
      end
    end
    if send.live then
      live.tick(send.live)
    end
  end
end

---@param bufnr integer
---@param id integer
---@param at integer[]
---@param progress postkit.Live?
---@return integer
local function begin(bufnr, id, at, progress)
  count = count + 1
  local marks = vim.tbl_map(function(row)
    return results.set(bufnr, row, 'sending', 'sending...')
  end, at)
  sends[count] = {
    bufnr = bufnr, client = id, marks = marks, started = vim.uv.now(), live = progress,
  }
  if not ticker then
    ticker = assert(vim.uv.new_timer())
    ticker:start(100, 100, vim.schedule_wrap(tick))
  end
  return count
end

---@param key integer
---@return postkit.Send?
local function finish(key)
  local send = sends[key]
  sends[key] = nil
  if send and send.live then
    live.finish(send.live)
  end
  if ticker and not next(sends) then
    ticker:close()
    ticker = nil
  end
  return send
end

local function draw(bufnr, row, reply)
  if row then
    results.set(bufnr, row, words.state(reply), words.describe(reply), reply)
  end
end

-- Nothing was sent: says why, and at which place when the server knows it.
local function refused(bufnr, row, error)
  -- A person said no, and need not be told.
  local is_wished = config.is_wished(error)
  local message = error.message or 'unknown'
  if row then
    local text = is_wished and 'not sent' or 'not sent: ' .. vim.split(message, '\n')[1]
    results.set(bufnr, row, is_wished and 'cancelled' or 'failed', text)
  end
  if not is_wished then
    local line = vim.tbl_get(error, 'data', 'range', 'start', 'line')
    local tell = row and config.remark or config.complain
    tell((line and ('line %d: '):format(line + 1) or '') .. message)
  end
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
  last = { bufnr = send.bufnr, mark = send.marks[1], id = reply.id }
  draw(send.bufnr, row, reply)
  client.refresh(id)
  if reply.state == 'failed' and words.state(reply) == 'failed' then
    config.remark(words.reason(reply))
  end
  local response = require('postkit.response')
  local uri = type(reply.uri) == 'string' and reply.uri or nil
  if uri and config.get('open') == 'auto' then
    response.open(id, uri, false)
  elseif not uri then
    response.replace(words.describe(reply))
  end
  announce(reply)
end

local function sent_some(key, id, error, replies)
  local send = finish(key)
  if not send then
    return
  end
  local at = vim.tbl_map(function(mark)
    return results.row(send.bufnr, mark) or false
  end, send.marks)
  for index, row in ipairs(at) do
    if row then
      results.clear(send.bufnr, row)
      if not error and #replies == #at then
        draw(send.bufnr, row, replies[index])
      end
    end
  end
  if error then
    return refused(send.bufnr, nil, error)
  end
  client.refresh(id)
  local text, is_fine = words.summary(replies)
  local tell = is_fine and config.say or config.complain
  tell(text)
  for _, reply in ipairs(replies) do
    announce(reply)
  end
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
    local row = argument.position and rows.at(bufnr, argument.position.line)
    local known = row and results.at(bufnr, row)
    if known and known.state == 'sending' then
      return config.say('this request is under way; :PostKit cancel ends it')
    end
    local progress = live.new(server.id)
    local key = begin(bufnr, server.id, { row }, progress)
    last = { bufnr = bufnr, mark = sends[key].marks[1] }
    argument.textDocument, argument.uri = { uri = argument.uri }, nil
    argument.partialResultToken = progress.token
    server:request('postkit/send', argument, function(error, reply)
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
      config.say(words.describe(reply))
    end
  end, bufnr)
end

--- Sends the request again that was sent last: as it stands now where its buffer is open, else as
--- it was sent, also before a restart.
---@param bufnr integer
function M.again(bufnr)
  local row = last and results.row(last.bufnr, last.mark)
  if last and row then
    return M.send(last.bufnr, { position = { line = row, character = 0 } })
  elseif client.any() then
    return M.run(bufnr, 'postkit.resend', { id = last and last.id })
  end
  client.with(bufnr, function()
    M.run(bufnr, 'postkit.resend', {})
  end)
end

--- Sends every request of a buffer in order, or those that some of its lines touch.
---@param bufnr integer
---@param first integer? the first line, from 1
---@param final integer? the last line
function M.send_all(bufnr, first, final)
  client.with_requests(bufnr, function(server)
    local from, to = first and first - 1, final and final - 1
    local key = begin(bufnr, server.id, rows.all(bufnr, from, to))
    local argument = { uri = vim.uri_from_bufnr(bufnr) }
    if from then
      local text = vim.api.nvim_buf_get_lines(bufnr, to, to + 1, false)[1] or ''
      local width = vim.str_utfindex(text, server.offset_encoding)
      argument.range = {
        start = { line = from, character = 0 }, ['end'] = { line = to, character = width },
      }
    end
    client.execute(server, 'postkit.sendAll', argument, function(error, replies)
      sent_some(key, server.id, error, replies)
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
  local row = rows.at(bufnr, vim.api.nvim_win_get_cursor(0)[1] - 1)
  local known = row and results.at(bufnr, row)
  local argument = {}
  if known and known.state == 'sending' then
    argument = {
      uri = vim.uri_from_bufnr(bufnr),
      position = { line = row, character = 0 },
    }
  end
  client.execute(server, 'postkit.cancel', argument, function(error, ended)
    if error then
      config.complain(error.message)
    elseif ended == 0 and M.running() == 0 then
      config.say('nothing is under way')
    end
  end, bufnr)
end

-- The request may have left, so that it must not be said that it was not sent.
local lost = 'unknown: the server ended while this was under way; it may have been received'

--- Ends what a server that is gone can no longer answer.
---@param id integer
function M.lost(id)
  for key, send in pairs(sends) do
    if send.client == id then
      finish(key)
      for _, mark in ipairs(send.marks) do
        local row = results.row(send.bufnr, mark)
        if row then
          results.set(send.bufnr, row, 'failed', lost)
        end
      end
    end
  end
end

return M
