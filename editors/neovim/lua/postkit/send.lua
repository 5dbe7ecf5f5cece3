-- Sends requests and shows how they fare; the server does the sending, this only asks and draws.
local client = require('postkit.client')
local config = require('postkit.config')
local live = require('postkit.live')
local results = require('postkit.results')
local progress = require('postkit.progress')
local rows = require('postkit.rows')
local words = require('postkit.words')

local M = {}

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

--- How far a send of several requests is: `3 of 40`; nil where none is under way.
---@param bufnr integer? the buffer that it is of; absent, any
---@return string?
function M.turn(bufnr)
  for _, send in pairs(sends) do
    if send.total > 1 and (not bufnr or send.bufnr == bufnr) then
      return ('%d of %d'):format(math.min(send.done + 1, send.total), send.total)
    end
  end
end

-- Shows how long each send has taken and how much has come.
local function tick()
  for _, send in pairs(sends) do
    progress.tick(send)
    if send.live then
      live.tick(send.live)
    end
  end
end

-- What is shown of a request while it comes gives way to the whole response.
---@param send postkit.Send
---@param reply PostkitSendResult
local function supersede(send, reply)
  local server = vim.lsp.get_client_by_id(send.client)
  if server and type(reply.uri) == 'string' and live.is_shown(send.live) then
    require('postkit.tabs').arrive(server, reply, send.bufnr)
  end
end

---@param bufnr integer
---@param id integer
---@param at integer[]
---@param state 'waiting'|'sending'
---@return integer
local function begin(bufnr, id, at, state)
  count = count + 1
  local send = progress.new(bufnr, id, at, state)
  send.live = live.new(id, function(value)
    if value.kind == 'result' then
      supersede(send, value.result)
    end
    progress.take(send, value)
  end)
  sends[count] = send
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
  if send then
    live.finish(send.live)
    require('postkit.bar').refresh(send.bufnr)
    vim.cmd.redrawstatus({ bang = true })
  end
  if ticker and not next(sends) then
    ticker:close()
    ticker = nil
  end
  return send
end

local function draw(bufnr, row, reply)
  if row then
    results.set(bufnr, row, words.mood(reply), words.summary(reply), reply)
  end
end

-- Nothing was sent: says why, and at which place when the server knows it.
local function refused(bufnr, row, error)
  -- A person said no, and need not be told.
  local is_wished = config.is_wished(error)
  local message = config.plain(error.message or 'unknown')
  if row then
    local data = type(error.data) == 'table' and error.data or {}
    results.set(bufnr, row, is_wished and 'cancelled' or data.mood or 'failed',
      data.summary or is_wished and 'not sent' or 'not sent: ' .. message)
  end
  if not is_wished then
    local line = vim.tbl_get(error, 'data', 'range', 'start', 'line')
    config.complain((line and ('line %d: '):format(line + 1) or '') .. message)
    -- What the window shows is of an earlier send.
    require('postkit.response').replace('Not sent: ' .. message)
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
  local row = progress.row(send.own)
  if error then
    refused(send.bufnr, row, error)
    return progress.fail(send)
  end
  last = { bufnr = send.bufnr, mark = send.own and send.own.mark, id = reply.id }
  draw(send.bufnr, row, reply)
  client.refresh(id)
  if reply.state == 'failed' and words.mood(reply) == 'failed' then
    config.complain(type(reply.error) == 'table' and reply.error.message or words.summary(reply))
  end
  local server = vim.lsp.get_client_by_id(id)
  local is_there = server and type(reply.uri) == 'string'
  if server and is_there and config.get('open') == 'auto' then
    require('postkit.tabs').arrive(server, reply, send.bufnr)
  elseif not is_there then
    require('postkit.response').replace(words.summary(reply))
  end
  announce(reply)
end

-- What became of several. Where the server has told of each, all is drawn by now.
local function sent_some(key, id, error, replies)
  local send = finish(key)
  if not send then
    return
  end
  local guessed = vim.tbl_map(progress.row, send.guessed)
  progress.fail(send)
  if error then
    return refused(send.bufnr, nil, error)
  end
  for index, reply in ipairs(next(send.places) and {} or replies) do
    draw(send.bufnr, reply.line or #guessed == #replies and guessed[index], reply)
  end
  client.refresh(id)
  local is_fine = vim.iter(replies):all(function(reply) return words.mood(reply) == 'done' end)
  local tell = is_fine and config.say or config.complain
  tell(send.summary or replies[1] and words.summary(replies[#replies]) or 'No requests were sent.')
  for _, reply in ipairs(replies) do
    require('postkit.memory').keep(reply, send.bufnr)
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
    if results.is_open(known) then
      return config.say('This request is already being sent. `:PostKit cancel` stops it.')
    end
    local key = begin(bufnr, server.id, { row }, 'sending')
    last = { bufnr = bufnr, mark = sends[key].own and sends[key].own.mark }
    argument.textDocument, argument.uri = { uri = argument.uri }, nil
    argument.partialResultToken = sends[key].live.token
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
    return config.complain(client.stopped)
  end
  local key = begin(bufnr, server.id, {}, 'sending')
  client.execute(server, command, argument, function(error, reply)
    sent(key, server.id, error, reply)
    if reply and config.get('open') ~= 'auto' then
      config.say(words.summary(reply))
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
    local key = begin(bufnr, server.id, rows.all(bufnr, from, to), 'waiting')
    local argument = {
      uri = vim.uri_from_bufnr(bufnr), partialResultToken = sends[key].live.token,
    }
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

-- The rows of a list of stored requests, by the URI with which each ends.
---@param bufnr integer
---@return table<string, integer>
local function listed(bufnr)
  local found = {}
  for index, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
    local name = line:match('postkit:/collections/%S+$')
    if name then
      found[name] = index - 1
    end
  end
  return found
end

--- Sends all of a collection or folder. The rows of a list that stand for its requests show how far
--- each is. Of a file, the server's hints show it.
---@param bufnr integer the list, or where it is asked for
---@param argument table
function M.all_of(bufnr, argument)
  local server = client.of(bufnr) or client.any()
  if not server then
    return config.complain(client.stopped)
  elseif not argument.collection then
    return client.execute(server, 'postkit.sendAll', argument, config.refused, bufnr)
  end
  local key = begin(bufnr, server.id, {}, 'waiting')
  sends[key].listed = listed(bufnr)
  argument = vim.tbl_extend('force', argument, { partialResultToken = sends[key].live.token })
  client.execute(server, 'postkit.sendAll', argument, function(error, replies)
    sent_some(key, server.id, error, replies)
  end, bufnr)
end

--- Cancels the send under the cursor, of which the other requests are not sent either; else every
--- send.
---@param bufnr integer
function M.cancel(bufnr)
  local server = client.any()
  if not server then
    return config.say('No requests are being sent.')
  end
  local row = rows.at(bufnr, vim.api.nvim_win_get_cursor(0)[1] - 1)
  local known = row and results.at(bufnr, row)
  local argument = {}
  if known and known.state == 'sending' and not M.turn() then
    argument = {
      uri = vim.uri_from_bufnr(bufnr),
      position = { line = row, character = 0 },
    }
  end
  client.execute(server, 'postkit.cancel', argument, function(error, ended)
    if error then
      config.complain(error.message)
    elseif ended == 0 and M.running() == 0 then
      config.say('No requests are being sent.')
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
      progress.fail(send, lost)
    end
  end
end

return M
