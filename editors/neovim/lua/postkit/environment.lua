-- Lets a person choose the environment whose variables are used.
local client = require('postkit.client')
local config = require('postkit.config')

local M = {}

-- By folder: the environment chosen last.
---@type table<string, string|false>
local active = {}
-- Names seen last, for command line completion.
---@type string[]
M.names = {}

--- The environment of a buffer as far as this Neovim knows.
---@param bufnr integer
---@return string?
function M.active(bufnr)
  return active[client.root(bufnr)] or nil
end

--- Takes note of the environment in a `postkit/status`.
---@param status {folder: string?, environment: string?}
function M.told(status)
  if type(status.folder) == 'string' then
    local folder = vim.uri_to_fname(status.folder):gsub('(.)/$', '%1')
    active[folder] = type(status.environment) == 'string' and status.environment
  end
end

---@param server vim.lsp.Client
---@param bufnr integer
---@param argument table
local function execute(server, bufnr, argument)
  client.execute(server, 'postkit.selectEnvironment', argument, function(error, result)
    if error then
      return config.complain(error.message)
    end
    local chosen = type(result) == 'table' and type(result.active) == 'string' and result.active
    active[client.root(bufnr)] = chosen
    config.say(chosen and 'environment ' .. chosen or 'no environment')
    client.refresh(server.id)
    vim.cmd.redrawstatus({ bang = true })
  end, bufnr)
end

---@param server vim.lsp.Client
---@param bufnr integer
---@param name string|vim.NIL
local function select(server, bufnr, name)
  local folder = vim.uri_from_fname(client.root(bufnr))
  execute(server, bufnr, { name = name, folder = folder })
end

---@param server vim.lsp.Client
---@param bufnr integer
---@param items {name: string, active: boolean}[]
local function offer(server, bufnr, items)
  M.names = vim.tbl_map(function(item)
    return item.name
  end, items)
  if #items == 0 then
    return config.say('there is no environment; write an http-client.env.json beside the requests')
  end
  local none = not vim.iter(items):any(function(item)
    return item.active
  end)
  local choices = vim.list_extend({ { active = none } }, items)
  vim.ui.select(choices, {
    prompt = 'Environment',
    kind = 'postkit.environment',
    format_item = function(item)
      return (item.active and '* ' or '  ') .. (item.name or '(none)')
    end,
  }, function(item)
    if item then
      select(server, bufnr, item.name or vim.NIL)
    end
  end)
end

--- Offers the environments of the current buffer, or takes the one that is named.
---@param name string?
function M.choose(name)
  local bufnr = vim.api.nvim_get_current_buf()
  client.with(bufnr, function(server)
    if name then
      return select(server, bufnr, name)
    end
    local document = vim.lsp.util.make_text_document_params(bufnr)
    server:request('postkit/environments', { textDocument = document }, function(error, result)
      if not error then
        offer(server, bufnr, result.items)
      elseif error.code == -32601 then
        execute(server, bufnr, { folder = vim.uri_from_fname(client.root(bufnr)) })
      else
        config.complain(error.message)
      end
    end, bufnr)
  end)
end

return M
