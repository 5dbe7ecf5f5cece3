-- Lets a person choose the environment whose variables are used.
local client = require('postkit.client')
local config = require('postkit.config')

local M = {}

-- What is offered first: to use none.
local NONE = 'No environment'

-- By folder: the environment chosen last.
---@type table<string, string|false>
local active = {}
-- Names seen last, for command line completion.
---@type string[]
M.names = {}

-- By folder: the environments with which a person is asked before a request is sent.
---@type table<string, table<string, true>>
local guarded = {}

-- The servers that are asked what environments there are: what they answer may be old already where
-- they are to be asked again.
---@type table<integer, 'once'|'again'>
local asking = {}

--- The environment of a buffer as far as this Neovim knows.
---@param bufnr integer
---@return string?
function M.active(bufnr)
  return active[client.root(bufnr)] or nil
end

--- Whether a person is asked before a request of a buffer is sent.
---@param bufnr integer
function M.guarded(bufnr)
  local folder = client.root(bufnr)
  return active[folder] and guarded[folder] and guarded[folder][active[folder]] or false
end

---@param folder string
---@param items PostkitEnvironment[]
local function learn(folder, items)
  M.names, guarded[folder] = {}, {}
  for _, item in ipairs(items) do
    M.names[#M.names + 1] = item.name
    guarded[folder][item.name] = item.confirm or nil
    if item.active then
      active[folder] = item.name
    end
  end
end

--- Learns what environments a server has, and writes the current one above its requests.
---@param server vim.lsp.Client
function M.refresh(server)
  local buffers = vim.tbl_filter(function(bufnr)
    return vim.bo[bufnr].buftype == ''
  end, client.buffers(server))
  local function draw()
    for _, bufnr in ipairs(buffers) do
      require('postkit.bar').refresh(bufnr)
    end
  end
  draw()
  if not buffers[1] then
    return
  elseif asking[server.id] then
    asking[server.id] = 'again'
    return
  end
  asking[server.id] = 'once'
  local document = vim.lsp.util.make_text_document_params(buffers[1])
  server:request('postkit/environments', { textDocument = document }, function(error, result)
    local is_old = asking[server.id] == 'again'
    asking[server.id] = nil
    if is_old then
      M.refresh(server)
    elseif not error and result and vim.api.nvim_buf_is_valid(buffers[1]) then
      learn(client.root(buffers[1]), result.items)
      draw()
    end
  end, buffers[1])
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
    if vim.api.nvim_buf_is_valid(bufnr) then
      active[client.root(bufnr)] = chosen
    end
    config.say(chosen and ('Environment `%s` is selected.'):format(chosen)
      or 'No environment is selected.')
    client.refresh(server.id)
    M.refresh(server)
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
---@param items PostkitEnvironment[]
local function offer(server, bufnr, items)
  learn(client.root(bufnr), items)
  if #items == 0 then
    return config.say(
      'No environments yet. Create `http-client.env.json` next to the request file.')
  end
  local none = not vim.iter(items):any(function(item)
    return item.active
  end)
  local choices = vim.list_extend({ { active = none } }, items)
  vim.ui.select(choices, {
    prompt = 'Environment',
    kind = 'postkit.environment',
    format_item = function(item)
      local guard = item.confirm and '  (confirms each request)' or ''
      local name = item.name == NONE and ('`%s`'):format(NONE) or item.name or NONE
      return (item.active and '* ' or '  ') .. name .. guard
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
