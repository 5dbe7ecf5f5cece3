-- Reads the user's choices from vim.g.postkit or setup(); every key has a default.
local M = {}

---@class postkit.Options
---@field open? 'auto'|'never' whether a response opens by itself after a send
---@field split? 'right'|'below'|'left'|'above' where the response window opens
---@field winbar? boolean whether the environment stands above windows with requests
---@field rivals? boolean whether other plugins for request files are named, once a session
---@field view? string the part with which a response begins, or 'auto'
---@field autotrigger? 'auto'|boolean whether completion opens while typing
---@field pictures? 'auto'|boolean whether pictures are drawn in the response window
---@field send_key? string the key that sends in request files; '' for none
---@field options? table more keys of initializationOptions.postkit, such as `store`

---@type postkit.Options
local defaults = {
  open = 'auto', split = nil, view = 'auto', winbar = true, rivals = true, autotrigger = 'auto',
  send_key = '<CR>', pictures = 'auto', options = {},
}

--- The names of the options.
M.names = {
  'autotrigger', 'open', 'options', 'pictures', 'rivals', 'send_key', 'split', 'view', 'winbar',
}

---@type postkit.Options
local given = {}

--- Keeps what setup() was given.
---@param options postkit.Options?
function M.set(options)
  given = vim.tbl_extend('force', given, options or {})
end

--- The value of one option.
---@param key string
function M.get(key)
  local global = vim.g.postkit
  if type(global) == 'function' then
    global = global()
  end
  if given[key] ~= nil then
    return given[key]
  elseif global and global[key] ~= nil then
    return global[key]
  end
  return defaults[key]
end

--- What stands in for `vim.notify` for a while, each with what it stands in for.
---@type table<function, function>
M.stand_ins = setmetatable({}, { __mode = 'k' })

-- Whether what is told is shown by Neovim itself, in whose file the other function is, too: a
-- plugin that shows it has its own way with a long text.
local function is_shown_by_neovim()
  local notify = M.stand_ins[vim.notify] or vim.notify
  return debug.getinfo(notify, 'S').source == debug.getinfo(vim.schedule_wrap, 'S').source
end

-- Tells something. Neovim has a person press Enter for more than one line, who may be typing: such
-- a text is cut to one line, and `:messages` has the whole.
---@param text string
---@param level integer
local function tell(text, level)
  local line = require('postkit.words').fit((text:gsub('%s*\n%s*', ' ')), vim.v.echospace)
  if line == text or not is_shown_by_neovim() then
    return vim.notify(text, level)
  end
  -- `:silent` would keep it from the messages, too.
  local before = vim.o.messagesopt
  vim.o.messagesopt = before:gsub('hit%-enter', 'wait:0')
  vim.notify(text, level)
  vim.cmd.redraw()
  vim.o.messagesopt = before
  local group = level == vim.log.levels.WARN and 'WarningMsg' or 'None'
  vim.api.nvim_echo({ { line, group } }, false, {})
end

--- Tells the person something.
---@param text string
function M.say(text)
  -- What begins with the name needs it no second time.
  tell((vim.startswith(text, 'PostKit ') and '' or 'PostKit: ') .. text, vim.log.levels.INFO)
end

--- A sentence without the place in a message of the protocol that the server puts before it.
---@param text string
---@return string
function M.plain(text)
  return (text:gsub('^params[%w_.%[%]]*: ', ''):gsub('^arguments%[%d+%][%w_.]*: ', ''))
end

--- Tells the person that something failed.
---@param text string
function M.complain(text)
  tell('PostKit: ' .. M.plain(text), vim.log.levels.WARN)
end

--- Whether an error is what a person wanted, who broke off or said no to a question.
---@param error lsp.ResponseError
---@return boolean
function M.is_wished(error)
  local data = type(error.data) == 'table' and error.data or {}
  return error.code == -32800 or data.declined == true
end

--- Tells the person why the server did not do something, but for what is wished.
---@param error lsp.ResponseError?
function M.refused(error)
  if error and not M.is_wished(error) then
    M.complain(error.message)
  end
end

return M
