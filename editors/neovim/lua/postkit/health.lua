-- Tells :checkhealth whether PostKit can work here, and what to do when it cannot.
local config = require('postkit.config')

local M = {}

---@param command string[]
---@return vim.SystemCompleted?
local function run(command)
  local started, process = pcall(vim.system, command, { text = true, timeout = 5000 })
  return started and process:wait() or nil
end

local function check_program()
  local command = vim.lsp.config.postkit.cmd
  if type(command) ~= 'table' then
    vim.health.info('A function of your configuration starts the server.')
    return
  end
  if vim.fn.executable(command[1]) == 0 then
    vim.health.error(('`%s` is not on your PATH.'):format(command[1]), {
      'Install it, or set its path: '
        .. "vim.lsp.config('postkit', { cmd = { '/path/to/postkit', 'lsp' } })",
    })
    return
  end
  local version = run({ command[1], 'version' })
  if not version or version.code ~= 0 then
    vim.health.error('`' .. command[1] .. ' version` fails', { 'Install PostKit again.' })
    return
  end
  vim.health.ok(vim.trim(version.stdout) .. ' at ' .. vim.fn.exepath(command[1]))
  local doctor = run({ command[1], 'doctor' })
  if doctor and doctor.code == 0 then
    vim.health.ok('`postkit doctor` finds no problems.')
  else
    local advice = vim.split(vim.trim(doctor and doctor.stdout or ''), '\n')
    vim.health.warn('`postkit doctor` finds a problem.', advice)
  end
end

local function check_editor()
  if vim.g.postkit_enable == false then
    vim.health.info('g:postkit_enable is false: only `:PostKit start` starts the server.')
  end
  if vim.filetype.match({ filename = 'a.http' }) ~= 'http' then
    vim.health.warn('`.http` files get another filetype.', {
      'Remove the other rule, or add its filetype: '
        .. "vim.lsp.config('postkit', { filetypes = { ... } })",
    })
  end
  if vim.fn.has('clipboard') == 0 then
    vim.health.info('No clipboard provider; copies go to the unnamed register only.')
  end
  if config.get('winbar') ~= false and vim.go.winbar ~= '' then
    vim.health.info("Your 'winbar' stays. Show the environment with "
      .. "require('postkit').statusline()")
  end
end

local function check_servers()
  local clients = vim.lsp.get_clients({ name = 'postkit' })
  vim.health.info(#clients .. ' server(s) running. `:checkhealth vim.lsp` has more.')
  for _, client in ipairs(clients) do
    local took = require('postkit.client').answered[client.id]
    if took then
      vim.health.ok(('Server ready after %.0f ms.'):format(took))
    end
    local lacking = require('postkit.program').lacks(client)
    if #lacking > 0 then
      vim.health.warn('The server is too old for this plugin.', {
        'Install the PostKit of this plugin, then `:PostKit stop` and `:PostKit start`.',
      })
    end
    local status = require('postkit.client').status[client.id]
    if status and status.health ~= 'ok' then
      vim.health.warn('The server reports a problem: ' .. (status.message or status.health))
    end
  end
end

-- Colours come from the server; a tree-sitter grammar for HTTP adds to them where it is installed.
local function check_colours()
  local counts = require('postkit.treesitter').add()
  local fine, query = pcall(vim.treesitter.query.get, 'http', 'highlights')
  if not counts then
    vim.health.ok('Colours come from semantic tokens and the syntax file.')
  elseif fine and query then
    vim.health.ok('The installed tree-sitter grammar for HTTP has queries that fit.')
  else
    vim.health.warn('The queries of the installed tree-sitter grammar for HTTP do not fit.', {
      'Update both, or remove them: colours then come from semantic tokens.',
    })
  end
end

local function check_rivals()
  local found = require('postkit.rivals').found()
  for _, rival in ipairs(found) do
    vim.health.warn(rival.name .. ' serves .http files as well. Marks and menus appear twice.', {
      'To disable it, ' .. rival.remedy .. '.',
      'To disable PostKit: vim.g.postkit_enable = false before plugins load.',
    })
  end
  if #found == 0 then
    vim.health.ok('No other plugin for .http files is loaded.')
  end
end

--- Runs all checks.
function M.check()
  vim.health.start('postkit')
  check_program()
  check_editor()
  check_servers()
  check_colours()
  check_rivals()
end

return M
