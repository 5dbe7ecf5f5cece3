-- Lists what was sent, by any editor or the command line, and opens an exchange from the list.
local client = require('postkit.client')
local config = require('postkit.config')
local send = require('postkit.send')

local M = {}

local name = 'postkit-history'

--- An RFC 3339 time in UTC as local time of day, with the date when it is not today.
---@param text string
local function clock(text)
  local year, month, day, hour, minute, second =
    text:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  if not year then
    return text
  end
  local utc = os.time({
    year = year, month = month, day = day, hour = hour, min = minute, sec = second, isdst = false,
  })
  local ahead = os.time(os.date('*t', utc)) - os.time(os.date('!*t', utc))
  if os.date('*t', utc).isdst then
    ahead = ahead + 3600
  end
  local moment = utc + ahead
  local today = os.date('%Y-%m-%d') == os.date('%Y-%m-%d', moment)
  return os.date(today and '%H:%M:%S' or '%Y-%m-%d %H:%M:%S', moment)
end

--- One exchange on one line.
local function line(entry)
  local outcome = entry.state == 'done' and tostring(entry.status) or entry.state
  local environment = type(entry.environment) == 'string' and '  [' .. entry.environment .. ']'
  return ('%s  %-9s  %8s  %8s  %s %s%s'):format(
    clock(entry.time), outcome, send.duration(entry.ms), send.size(entry.size),
    entry.method, entry.url, environment or '')
end

---@param bufnr integer
---@return integer
local function window(bufnr, height)
  local shown = vim.fn.win_findbuf(bufnr)[1]
  if not shown then
    shown = vim.api.nvim_open_win(bufnr, true, { split = 'below', win = -1, height = height })
  end
  vim.api.nvim_set_current_win(shown)
  return shown
end

---@param id integer
---@param items table[]
local function list(id, items)
  local bufnr = vim.fn.bufadd(name)
  vim.fn.bufload(bufnr)
  local shown = window(bufnr, math.min(#items + 1, 12))
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.tbl_map(line, items))
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
  vim.bo[bufnr].filetype = 'httphistory'
  for option, value in pairs({ number = false, wrap = false, cursorline = true }) do
    vim.api.nvim_set_option_value(option, value, { win = shown, scope = 'local' })
  end
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, nowait = true })
  vim.keymap.set('n', '<CR>', function()
    local entry = items[vim.api.nvim_win_get_cursor(0)[1]]
    local uri = entry.uri or ('postkit:/response/%s.http'):format(entry.id)
    require('postkit.response').open(id, uri, false)
  end, { buffer = bufnr, nowait = true })
end

--- Shows the newest exchanges in a window; <CR> opens one, q closes the list.
---@param query string?
function M.show(query)
  local function ask(server)
    server:request('postkit/history', { query = query, limit = 200 }, function(error, result)
      if error then
        config.complain(error.message)
      elseif #result.items == 0 then
        config.say('nothing was sent yet')
      else
        list(server.id, result.items)
      end
    end)
  end
  local server = client.any()
  if server then
    ask(server)
  else
    client.with(vim.api.nvim_get_current_buf(), ask)
  end
end

return M
