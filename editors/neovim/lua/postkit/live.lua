-- What has come of a response that is still on its way: the server tells of it bit by bit.
local config = require('postkit.config')

local M = {}

---@class postkit.Live
---@field client integer
---@field token string
---@field number integer
---@field request string? the request line
---@field status integer? once the head has come
---@field headers string[][]?
---@field since integer? when the head came
---@field summary string? what of it has come, in the server's words
---@field bufnr integer? what shows it
---@field pending string[] what of the body has come before it is shown
---@field shown integer bytes of the body that are shown, or wait to be
---@field step fun(value: table)? is told each partial result

-- A longer text is shown when it has come whole; so much can be drawn without a halt.
local most = 2 ^ 18
-- What comes whole before so many milliseconds is shown as a whole alone.
local patience = 300

---@type table<string, postkit.Live>
local all = {}
local count = 0

--- Waits for what is told of a send; the token goes with it.
---@param client integer
---@param step fun(value: table)? is told each partial result
---@return postkit.Live
function M.new(client, step)
  count = count + 1
  local token = ('postkit-send-%d-%d'):format(client, count)
  all[token] = {
    client = client, token = token, number = count, pending = {}, shown = 0, step = step,
  }
  return all[token]
end

--- Whether what comes is shown in a window.
---@param send postkit.Live
function M.is_shown(send)
  return send.bufnr ~= nil and #vim.fn.win_findbuf(send.bufnr) > 0
end

--- Forgets a send that is over.
---@param send postkit.Live
function M.finish(send)
  all[send.token] = nil
end

-- Adds what has come to what is shown; who looks at the end goes on looking at it.
---@param bufnr integer
---@param text string
local function append(bufnr, text)
  if not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  local before = vim.api.nvim_buf_line_count(bufnr)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_text(bufnr, -1, -1, -1, -1, vim.split(text, '\n', { plain = true }))
  vim.bo[bufnr].modified = false
  vim.bo[bufnr].modifiable = false
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    if vim.api.nvim_win_get_cursor(window)[1] >= before then
      vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(bufnr), 0 })
    end
  end
end

-- Shows the head, below which the body grows.
---@param send postkit.Live
local function show(send)
  local lines = { '# ' .. (send.request or ''), '# Still receiving…' }
  lines[#lines + 1] = 'HTTP ' .. send.status
  for _, field in ipairs(send.headers or {}) do
    lines[#lines + 1] = field[1] .. ': ' .. field[2]
  end
  vim.list_extend(lines, { '', '' })
  local uri = ('postkit:/live/%d.http'):format(send.number)
  send.bufnr = require('postkit.response').show(uri, lines)
  if send.bufnr then
    append(send.bufnr, table.concat(send.pending))
    send.pending = {}
  end
end

---@param send postkit.Live
---@param text string
local function add(send, text)
  if send.shown > most then
    return
  end
  send.shown = send.shown + #text
  if send.shown > most then
    text = text .. '# The rest appears when the response is complete.'
  end
  if send.bufnr then
    append(send.bufnr, text)
  else
    send.pending[#send.pending + 1] = text
  end
end

--- Takes a partial result of ours; answers whether it was one.
---@param told {token: any, value: any}
function M.told(told)
  local send, value = all[told.token], told.value
  if not send then
    return type(told.token) == 'string' and vim.startswith(told.token, 'postkit-send-')
  end
  if value.kind == 'started' then
    -- A request that another needs may come before it.
    send.request = value.method .. ' ' .. value.url
    send.status, send.summary, send.since = nil, nil, nil
    send.bufnr, send.pending, send.shown = nil, {}, 0
  elseif value.kind == 'head' then
    send.status, send.headers, send.since = value.status, value.headers, vim.uv.now()
    send.summary = value.summary
  elseif value.kind == 'data' then
    send.summary = value.summary or send.summary
    if type(value.text) == 'string' then
      add(send, value.text)
    end
  end
  if send.step then
    send.step(value)
  end
  return true
end

--- Shows what takes long.
---@param send postkit.Live
function M.tick(send)
  local waits = send.since and not send.bufnr and config.get('open') == 'auto'
  if waits and vim.uv.now() - send.since > patience then
    show(send)
  end
end

return M
