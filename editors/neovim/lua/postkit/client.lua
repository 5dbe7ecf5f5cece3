-- Finds or starts the server of a buffer, answers what it asks and takes note of what it tells.
local config = require('postkit.config')
local program = require('postkit.program')

local M = {}

-- What waits for a buffer's server to be ready.
---@type table<integer, fun(client: vim.lsp.Client)[]>
local waiting = {}

-- The servers that were told to end.
---@type table<integer, boolean>
local stopping = {}

-- The last `postkit/status` of each client.
---@type table<integer, table>
M.status = {}

-- How long each client's server took to say what it can, in milliseconds.
---@type table<integer, number>
M.answered = {}
local asked = 0

--- The server that a part of a response is of, if it runs.
---@param bufnr integer
---@return vim.lsp.Client?
function M.shown(bufnr)
  local client = vim.lsp.get_client_by_id(vim.b[bufnr].postkit_server or -1)
  return client and not client:is_stopped() and client or nil
end

---@param bufnr integer
---@return string
function M.root(bufnr)
  -- A stored request, or a document of the server's: of no project, so that it has the server that
  -- is there.
  local name = vim.api.nvim_buf_get_name(bufnr)
  if vim.startswith(name, 'postkit:') or name:find('/view/%l+/[%x-]+/[^/]+%.http$') then
    local running = M.shown(bufnr) or vim.lsp.get_clients({ name = 'postkit' })[1]
    if running and running.root_dir then
      return running.root_dir
    end
  end
  return vim.fs.root(bufnr, { 'postkit.json', 'http-client.env.json' })
    or vim.fs.root(bufnr, '.git')
    or vim.fs.dirname(vim.fs.abspath(vim.api.nvim_buf_get_name(bufnr)))
end

--- The `root_dir` of the configuration; without a program it starts nothing, and says so once.
function M.root_dir(bufnr, start)
  if vim.bo[bufnr].buftype == '' and program.found() then
    start(M.root(bufnr))
  end
end

function M.before_init(parameters, settings)
  local own = parameters.initializationOptions.postkit or {}
  own = vim.tbl_extend('force', own, config.get('options'))
  own.settings = vim.tbl_get(settings, 'settings', 'postkit') or vim.empty_dict()
  parameters.initializationOptions.postkit = own
  asked = vim.uv.hrtime()
end

function M.on_attach(client, bufnr)
  require('postkit.completion').enable(client.id, bufnr)
  for _, run in ipairs(waiting[bufnr] or {}) do
    run(client)
  end
  waiting[bufnr] = nil
  M.answered[client.id] = M.answered[client.id] or (vim.uv.hrtime() - asked) / 1e6
  require('postkit.results').refresh(client, bufnr)
  require('postkit.environment').refresh(client)
  program.check(client)
  -- Others attach after us.
  vim.schedule(require('postkit.rivals').tell)
end

-- Keeps Neovim from saying, too, that a server has ended: with both a person has to press Enter.
local function say_it_once()
  local own = vim.notify
  local function notify(text, ...)
    if type(text) == 'string' and vim.startswith(text, 'Client postkit quit with exit code') then
      vim.notify = own
      return
    end
    return own(text, ...)
  end
  vim.notify, config.stand_ins[notify] = notify, own
  vim.defer_fn(function()
    if vim.notify == notify then
      vim.notify = own
    end
  end, 1000)
end

function M.on_exit(code, signal, id)
  local unwished = (code ~= 0 or signal ~= 0) and not stopping[id] and vim.v.exiting == vim.NIL
  local client = vim.lsp.get_client_by_id(id)
  local began = client and client.initialized
  vim.schedule(function()
    M.status[id], M.answered[id] = nil, nil
    stopping[id] = nil
    require('postkit.send').lost(id)
    if unwished then
      say_it_once()
    end
    if unwished and not began then
      program.failed(code)
    elseif unwished then
      config.complain(
        'The PostKit server stopped unexpectedly. It restarts with your next request.')
    end
  end)
end

--- The server of a buffer, if it runs.
---@param bufnr integer
---@return vim.lsp.Client?
function M.of(bufnr)
  for _, client in ipairs(vim.lsp.get_clients({ name = 'postkit', bufnr = bufnr })) do
    if client.initialized and not client:is_stopped() then
      return client
    end
  end
end

--- Any server that runs, for what belongs to no buffer; the current buffer's comes first.
---@return vim.lsp.Client?
function M.any()
  local bufnr = vim.api.nvim_get_current_buf()
  local own = M.of(bufnr) or M.shown(bufnr)
  return own or vim.iter(vim.lsp.get_clients({ name = 'postkit' })):find(function(client)
    return client.initialized and not client:is_stopped()
  end)
end

--- Starts the server of a buffer.
---@param bufnr integer
---@return boolean
function M.start(bufnr)
  program.retry()
  if not program.found() then
    return false
  end
  local function start(buffer)
    local settings = vim.deepcopy(vim.lsp.config.postkit)
    settings.root_dir = M.root(buffer)
    return vim.lsp.start(settings, { bufnr = buffer }) ~= nil
  end
  local started = start(bufnr)
  -- Neovim starts servers when a file is opened, and these are open already.
  for _, other in ipairs(vim.api.nvim_list_bufs()) do
    local filetypes = vim.lsp.config.postkit.filetypes or {}
    local holds = vim.api.nvim_buf_is_loaded(other) and vim.bo[other].buftype == ''
      and vim.list_contains(filetypes, vim.bo[other].filetype)
    if started and holds and other ~= bufnr and not M.of(other) then
      start(other)
    end
  end
  return started
end

--- What is told where a buffer is about no request.
M.none = 'This buffer has no requests. Go to a `.http` file first.'

--- What is told where something needs a server and none runs.
M.stopped = 'The server is not running. `:PostKit start` in a request file starts it.'

--- Whether a buffer holds requests.
---@param bufnr integer
function M.holds_requests(bufnr)
  return vim.list_contains(vim.lsp.config.postkit.filetypes or {}, vim.bo[bufnr].filetype)
end

--- Runs `run(client)` for a buffer with requests as `with` does; any other has nothing that it
--- could be about, although a server may know it.
---@param bufnr integer
---@param run fun(client: vim.lsp.Client)
function M.with_requests(bufnr, run)
  if not M.holds_requests(bufnr) then
    return config.complain(M.none)
  end
  M.with(bufnr, run)
end

--- Runs `run(client)` for a request buffer, now or as soon as its server is ready.
---@param bufnr integer
---@param run fun(client: vim.lsp.Client)
function M.with(bufnr, run)
  -- What this plugin writes itself of a response has no server of its own.
  local is_part = vim.startswith(vim.api.nvim_buf_get_name(bufnr), 'postkit:')
  local client = M.of(bufnr) or M.shown(bufnr) or is_part and M.any()
  if client and program.is_old(client) then
    return config.complain(program.old(client))
  elseif client then
    return run(client)
  end
  if not M.holds_requests(bufnr) then
    return config.complain(M.none)
  end
  local queue = waiting[bufnr] or {}
  waiting[bufnr] = queue
  queue[#queue + 1] = run
  if not M.start(bufnr) then
    waiting[bufnr] = nil
  end
end

--- Ends every server, gently at first.
function M.stop()
  for _, client in ipairs(vim.lsp.get_clients({ name = 'postkit' })) do
    stopping[client.id] = true
    client:stop()
    vim.defer_fn(function()
      if not client:is_stopped() then
        client:stop(true)
      end
    end, 2000)
  end
end

--- Runs one of the server's commands with its one argument.
---@param client vim.lsp.Client
---@param name string
---@param argument table
---@param done fun(error: lsp.ResponseError?, result: any)
---@param bufnr integer?
function M.execute(client, name, argument, done, bufnr)
  if next(argument) == nil then
    argument = vim.empty_dict()
  end
  local parameters = { command = name, arguments = { argument } }
  client:request('workspace/executeCommand', parameters, done, bufnr)
end

local function default(method)
  return function(...)
    return vim.lsp.handlers[method](...)
  end
end

--- The buffers that a server knows. Neovim may still list one that is gone.
---@param client vim.lsp.Client?
---@return integer[]
function M.buffers(client)
  local found = vim.tbl_filter(function(bufnr)
    return vim.api.nvim_buf_is_loaded(bufnr)
  end, vim.tbl_keys(client and client.attached_buffers or {}))
  table.sort(found)
  return found
end

--- Asks anew for the results of a server's buffers, which depend on more than the text.
---@param id integer
function M.refresh(id)
  local client = vim.lsp.get_client_by_id(id)
  for _, bufnr in ipairs(M.buffers(client)) do
    require('postkit.results').refresh(client, bufnr)
  end
end

-- Asks anew for the diagnostics of a server's buffers. Neovim files an answer by the identifier in
-- the question; one without would stand beside those that it has from its own questions.
---@param id integer
local function diagnose(id)
  local client = vim.lsp.get_client_by_id(id)
  local provider = client and client.server_capabilities.diagnosticProvider
  for _, bufnr in ipairs(M.buffers(client)) do
    if client and client:supports_method('textDocument/diagnostic', bufnr) then
      client:request('textDocument/diagnostic', {
        textDocument = vim.lsp.util.make_text_document_params(bufnr),
        identifier = type(provider) == 'table' and provider.identifier or nil,
      }, nil, bufnr)
    end
  end
end

--- Learns anew what environments a server has.
---@param id integer
function M.learn(id)
  local client = vim.lsp.get_client_by_id(id)
  if client then
    require('postkit.environment').refresh(client)
  end
end

---@type table<string, lsp.Handler>
M.handlers = {
  ['window/showDocument'] = function(error, parameters, context)
    local response = require('postkit.response')
    if not parameters.external and response.is_document(parameters.uri) then
      response.open(context.client_id, parameters.uri, parameters.takeFocus == true)
      return { success = true }
    end
    if not parameters.external and parameters.takeFocus then
      response.leave()
    end
    return default('window/showDocument')(error, parameters, context)
  end,

  -- Results are drawn by this plugin; the rest is for Neovim's own inlay hints, if they are on.
  ['textDocument/inlayHint'] = function(error, hints, context)
    local results = require('postkit.results')
    local others = vim.tbl_filter(function(hint)
      return not results.of_hint(hint) and not results.of_script(hint)
    end, hints or {})
    return default('textDocument/inlayHint')(error, others, context)
  end,

  ['workspace/inlayHint/refresh'] = function(error, result, context)
    M.refresh(context.client_id)
    M.learn(context.client_id)
    return default('workspace/inlayHint/refresh')(error, result, context)
  end,

  -- Neovim 0.11 knows no such message, and 0.12 then asks for all files but those that are open.
  ['workspace/diagnostic/refresh'] = function(_, _, context)
    diagnose(context.client_id)
    return vim.NIL
  end,

  ['workspace/textDocumentContent/refresh'] = function(_, parameters, context)
    require('postkit.response').refresh(context.client_id, parameters.uri)
    return vim.NIL
  end,

  -- Neovim asks for traces where the configuration says `trace`, and would drop them.
  ['$/logTrace'] = function(_, told)
    vim.lsp.log.info('postkit', told.message, told.verbose)
  end,

  -- Neovim's own puts a colon behind every question.
  ['window/showMessageRequest'] = function(error, parameters, context)
    if #(parameters.actions or {}) == 0 then
      return default('window/showMessageRequest')(error, parameters, context)
    end
    return require('postkit.input').choose(parameters)
  end,

  -- Partial results of sends are ours, the rest is for Neovim's own progress.
  ['$/progress'] = function(error, told, context)
    if not require('postkit.live').told(told) then
      return default('$/progress')(error, told, context)
    end
  end,

  ['postkit/didChangeStore'] = function(_, change, context)
    M.refresh(context.client_id)
    local event = { pattern = 'PostKitStore', modeline = false, data = change }
    vim.api.nvim_exec_autocmds('User', event)
  end,

  ['postkit/didPrint'] = function(_, printed) require('postkit.output').told(printed) end,

  ['postkit/status'] = function(_, status, context)
    M.status[context.client_id] = status
    require('postkit.environment').told(status)
    M.learn(context.client_id)
    vim.cmd.redrawstatus({ bang = true })
  end,

  ['postkit/input'] = function(_, question, context)
    local client = assert(vim.lsp.get_client_by_id(context.client_id))
    return require('postkit.input').ask(client, question)
  end,
}

---@type table<string, fun(command: lsp.Command, context: table)>
M.commands = {
  -- A code action or lens that sends: with the same marks and window as :PostKit send.
  ['postkit.send'] = function(command, context)
    local argument = command.arguments and command.arguments[1] or {}
    if argument.uri and vim.startswith(argument.uri, 'postkit:') then
      return require('postkit.send').run(context.bufnr, 'postkit.send', argument)
    end
    local bufnr = argument.uri and vim.uri_to_bufnr(argument.uri) or context.bufnr
    require('postkit.send').send(bufnr, argument)
  end,
  -- Of a file the server tells the results by hints; of a collection they are drawn in its list.
  ['postkit.sendAll'] = function(command, context)
    require('postkit.send').all_of(context.bufnr, command.arguments and command.arguments[1] or {})
  end,
  ['postkit.resend'] = function(command, context)
    require('postkit.send').run(context.bufnr, 'postkit.resend', command.arguments[1])
  end,
  ['postkit.copyAsCurl'] = function()
    require('postkit').curl()
  end,
  ['postkit.copyPath'] = function(command, context)
    local client = assert(vim.lsp.get_client_by_id(context.client_id))
    require('postkit.parts').copy(client, context.bufnr, command.arguments[1])
  end,
  ['postkit.selectEnvironment'] = function()
    require('postkit.environment').choose()
  end,
}

return M
