-- The variables that the request under the cursor sees: where each comes from, and its value.
local buffers = require('postkit.buffers')
local client = require('postkit.client')
local config = require('postkit.config')
local prompt = require('postkit.prompt')

local M = {}

local namespace = vim.api.nvim_create_namespace('postkit.variables')

---@class postkit.Browser
---@field items PostkitVariable[] those that are shown, by row
---@field all PostkitVariable[]
---@field bufnr integer
---@field window integer
---@field from integer the window of the request
---@field words string what was searched for

---@param variable PostkitVariable
local function value(variable)
  if variable.masked then
    return '••••••'
  end
  return type(variable.value) == 'string' and variable.value or ''
end

---@param variable PostkitVariable
local function origin(variable)
  local place = variable.origin
  if place.file == '' then
    return 'no file'
  end
  return vim.fs.basename(place.file) .. (place.line > 0 and ':' .. place.line or '')
end

---@param text string
---@param width integer
local function padded(text, width)
  return text .. (' '):rep(width - vim.api.nvim_strwidth(text))
end

-- Draws the variables that have the words in name, value or origin.
---@param browser postkit.Browser
local function draw(browser)
  local words = vim.split(browser.words:lower(), '%s+', { trimempty = true })
  browser.items = vim.tbl_filter(function(variable)
    local text = (variable.name .. ' ' .. value(variable) .. ' ' .. origin(variable)):lower()
    return vim.iter(words):all(function(word)
      return text:find(word, 1, true) ~= nil
    end)
  end, browser.all)
  local name_width, origin_width = 4, 4
  for _, variable in ipairs(browser.items) do
    name_width = math.max(name_width, vim.api.nvim_strwidth(variable.name))
    origin_width = math.max(origin_width, vim.api.nvim_strwidth(origin(variable)))
  end
  local lines = vim.tbl_map(function(variable)
    local text = value(variable):gsub('%s+', ' ')
    return padded(variable.name, name_width) .. '  ' .. padded(origin(variable), origin_width)
      .. '  ' .. text
  end, browser.items)
  if #lines == 0 then
    lines = { #browser.all == 0 and 'This request sees no variables.' or 'None has these words.' }
  end
  vim.bo[browser.bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(browser.bufnr, 0, -1, false, lines)
  vim.bo[browser.bufnr].modifiable = false
  for row, variable in ipairs(browser.items) do
    vim.api.nvim_buf_set_extmark(browser.bufnr, namespace, row - 1, 0, {
      end_col = #variable.name, hl_group = '@variable',
    })
    vim.api.nvim_buf_set_extmark(browser.bufnr, namespace, row - 1, name_width, {
      end_col = math.min(name_width + origin_width + 2, #lines[row]), hl_group = 'Comment',
    })
  end
end

-- The variable in the line of the cursor.
---@param browser postkit.Browser
---@return PostkitVariable?
local function chosen(browser)
  return browser.items[vim.api.nvim_win_get_cursor(browser.window)[1]]
end

---@param browser postkit.Browser
local function go(browser)
  local variable = chosen(browser)
  if not variable then
    return
  elseif variable.origin.file == '' then
    return config.say(('`%s` is not defined in a file.'):format(variable.name))
  end
  if vim.api.nvim_win_is_valid(browser.from) then
    vim.api.nvim_set_current_win(browser.from)
  end
  vim.cmd.edit(vim.fn.fnameescape(variable.origin.file))
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_win_set_cursor(0, { math.max(1, math.min(variable.origin.line, last)), 0 })
end

---@param browser postkit.Browser
local function copy(browser)
  local variable = chosen(browser)
  if not variable then
    return
  elseif variable.masked then
    local sentence = '`%s` is a secret. PostKit neither shows nor copies it.'
    return config.say(sentence:format(variable.name))
  end
  vim.fn.setreg('"', variable.value)
  if vim.fn.has('clipboard') == 1 then
    vim.fn.setreg('+', variable.value)
  end
  config.say(('Copied the value of `%s`.'):format(variable.name))
end

---@param browser postkit.Browser
local function search(browser)
  local before = browser.words
  local function changed(text)
    browser.words = text
    draw(browser)
  end
  prompt.open({
    window = browser.window, title = 'Search', text = before, changed = changed,
    accepted = changed,
    cancelled = function() changed(before) end,
    moved = function(step)
      local row = vim.api.nvim_win_get_cursor(browser.window)[1] + step
      local last = vim.api.nvim_buf_line_count(browser.bufnr)
      vim.api.nvim_win_set_cursor(browser.window, { math.max(1, math.min(row, last)), 0 })
    end,
  })
end

---@param browser postkit.Browser
local function map(browser)
  local function key(lhs, what, words)
    vim.keymap.set('n', lhs, function() what(browser) end, {
      buffer = browser.bufnr, nowait = true, desc = 'PostKit: ' .. words,
    })
  end
  key('<CR>', go, 'go to the definition')
  for _, lhs in ipairs({ 'y', 'Y' }) do
    key(lhs, copy, 'copy the value')
  end
  for _, lhs in ipairs({ 'f', 'o' }) do
    key(lhs, search, 'filter')
  end
  key('g?', function() vim.cmd.help('postkit-variables') end, 'help')
  key('q', function() vim.cmd.close() end, 'close')
end

---@param items PostkitVariable[]
local function show(items)
  local from = vim.api.nvim_get_current_win()
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'postkitvariables'
  local window = vim.api.nvim_open_win(bufnr, true, {
    split = 'below', win = -1, height = buffers.list_height(#items + 2, 14),
  })
  local options = {
    number = false, relativenumber = false, signcolumn = 'no', wrap = false, cursorline = true,
    winbar = '%#PostKitTab# Variables %#Comment# Enter: definition · y: copy · f: filter '
      .. '· g?: more keys',
  }
  for option, setting in pairs(options) do
    vim.api.nvim_set_option_value(option, setting, { win = window, scope = 'local' })
  end
  local browser = {
    all = items, items = items, bufnr = bufnr, window = window, from = from, words = '',
  }
  draw(browser)
  map(browser)
end

--- Lists the variables of the request under the cursor.
function M.browse()
  local bufnr = vim.api.nvim_get_current_buf()
  client.with_requests(bufnr, function(server)
    local here = require('postkit.store').here()
    local parameters = { textDocument = { uri = here.uri }, position = here.position }
    server:request('postkit/variables', parameters, function(error, result)
      if error then
        return config.complain(error.message)
      end
      show(result.items)
    end, bufnr)
  end)
end

return M
