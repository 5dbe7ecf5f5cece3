-- The program `postkit`: whether it is there, and whether it is new enough for this plugin.
local config = require('postkit.config')

local M = {}

-- What the plugin asks of the program besides the standard.
local needed = {
  'postkit/send', 'postkit/exchange', 'postkit/history', 'postkit/environments',
  'postkit/variables', 'postkit/collections',
}

local remedy = 'Install it, or set its path: '
  .. "vim.lsp.config('postkit', { cmd = { '/path/to/postkit', 'lsp' } })"

-- Programs that ended before they said what they can: they are not started with every file.
---@type table<string, true>
local broken = {}

-- What was said already, so that each file does not say it again.
---@type table<string, true>
local told = {}

---@param text string
local function once(text)
  if not told[text] then
    told[text] = true
    config.complain(text)
  end
end

---@return string? name nil where the configuration starts the server by a function
local function name()
  local command = vim.lsp.config.postkit.cmd
  return type(command) == 'table' and command[1] or nil
end

--- Whether the program can be started; says so once where it can't.
---@return boolean
function M.found()
  local program = name()
  if not program or vim.fn.executable(program) == 1 then
    return not broken[program or '']
  end
  once(('`%s` is not on your PATH. %s'):format(program, remedy))
  return false
end

--- Has the program tried again, although it ended at once the last time.
function M.retry()
  broken, told = {}, {}
end

--- What a server lacks that this plugin asks for; empty where it is new enough.
---@param server vim.lsp.Client
---@return string[]
function M.lacks(server)
  local known = vim.tbl_get(server.server_capabilities, 'experimental', 'postkit', 'methods') or {}
  return vim.tbl_filter(function(method)
    return not vim.list_contains(known, method)
  end, needed)
end

--- Whether a server is too old, or none of PostKit's.
---@param server vim.lsp.Client
---@return boolean
function M.is_old(server)
  return #M.lacks(server) > 0
end

--- What is said of a server that is too old, or none of PostKit's.
---@param server vim.lsp.Client
---@return string
function M.old(server)
  local version = vim.tbl_get(server, 'server_info', 'version')
  return ('`%s`%s is not PostKit, or too old for this plugin. %s'):format(
    name() or 'the server', version and ' ' .. version or '', remedy)
end

--- Says once where a server is too old, or none of PostKit's.
---@param server vim.lsp.Client
function M.check(server)
  if M.is_old(server) then
    once(M.old(server))
  end
end

--- Notes that a program ended before it said what it can.
---@param code integer
function M.failed(code)
  local program = name()
  if program then
    broken[program] = true
    once(('`%s` exited at once (code %d). Is this the right program? %s'
      .. ' `:PostKit start` tries again.'):format(vim.fn.exepath(program), code, remedy))
  end
end

return M
