-- Tells :checkhealth whether PostKit can work here, and what to do when it cannot.
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
    vim.health.info('the server is started by a function of your configuration')
    return
  end
  if vim.fn.executable(command[1]) == 0 then
    vim.health.error('cannot find the program `' .. command[1] .. '`', {
      'Install PostKit so that `postkit` is on your PATH,',
      "or name it: vim.lsp.config('postkit', { cmd = { '/path/to/postkit', 'lsp' } })",
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
    vim.health.ok('`postkit doctor` finds nothing wrong')
  else
    local advice = vim.split(vim.trim(doctor and doctor.stdout or ''), '\n')
    vim.health.warn('`postkit doctor` finds a problem', advice)
  end
end

local function check_editor()
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('postkit') then
    vim.health.warn('the server is not enabled', { "Call vim.lsp.enable('postkit')." })
  end
  if vim.filetype.match({ filename = 'a.http' }) ~= 'http' then
    vim.health.warn('`.http` files get another filetype', {
      'Remove the other rule, or add its filetype: '
        .. "vim.lsp.config('postkit', { filetypes = { ... } })",
    })
  end
  local clients = vim.lsp.get_clients({ name = 'postkit' })
  vim.health.info(#clients .. ' server(s) running; more in :checkhealth vim.lsp')
  for _, other in ipairs({ 'kulala', 'rest-nvim' }) do
    if package.loaded[other] then
      vim.health.warn('`' .. other .. '` is loaded too', {
        'Both serve .http files. Disable one of them, or expect doubled marks and menus.',
      })
    end
  end
end

--- Runs all checks.
function M.check()
  vim.health.start('postkit')
  check_program()
  check_editor()
end

return M
