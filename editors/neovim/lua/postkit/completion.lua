-- Completion by Neovim's own menu, which opens by itself where few type without looking for a word.
local config = require('postkit.config')

local M = {}

-- Time between a typed character and the question.
local delay_milliseconds = 40
-- So many lines above the cursor are looked at for the request line of a header.
local head_lines = 50
-- What is completed opens no menu that chooses by itself: who types on must not find a word in the
-- text that nobody has chosen.
local careful = 'menuone,noinsert,noselect'

-- What tells that another plugin completes while somebody types.
---@type (fun(): any)[]
local completers = {
  function() return package.loaded['cmp'] end,
  function() return package.loaded['blink.cmp'] end,
  function() return package.loaded['coq'] end,
  function() return package.loaded['mini.completion'] end,
  function() return package.loaded['care'] or package.loaded['epo'] end,
  function() return vim.g.did_coc_loaded or vim.g.loaded_compe or vim.g.loaded_mucomplete end,
  function() return vim.g.asyncomplete_loaded or vim.g.loaded_completor_plugin end,
  function() return vim.fn.exists(':YcmCompleter') == 2 or vim.fn.exists('*ddc#enable') == 1 end,
  function()
    return vim.fn.exists('*deoplete#is_enabled') == 1 and vim.fn['deoplete#is_enabled']() == 1
  end,
  -- Neovim 0.12 has it built in.
  function() return vim.fn.exists('&autocomplete') == 1 and vim.o.autocomplete end,
}

--- Whether another plugin completes while somebody types.
---@return boolean
function M.has_rival()
  return vim.iter(completers):any(function(is_there) return is_there() end)
end

-- Whether a row is one of the headers of a request.
---@param bufnr integer
---@param row integer
local function is_in_head(bufnr, row)
  local lines = vim.api.nvim_buf_get_lines(bufnr, math.max(0, row - head_lines), row, false)
  for index = #lines, 1, -1 do
    local line = lines[index]
    if line:find('^%s*$') or vim.startswith(line, '###') then
      return false
    elseif line:find('^%u+%s') or line:find('^%a+://') or line:find('^{{') or line:find('^/%S') then
      return true
    end
  end
  return false
end

-- Whether the text before the cursor begins a variable, a tag, or the name or the value of a header.
---@param bufnr integer
---@param row integer
---@param text string
local function expects(bufnr, row, text)
  if text:find('{{[^{}]*$') or text:find('^%s*#+%s*@[%w-]*$') or text:find('^%s*//%s*@[%w-]*$') then
    return true
  end
  local is_field = text:find('^%a[%w-]*$') or text:find('^%a[%w-]*:%s*[^;,%s]*$')
  return is_field ~= nil and is_in_head(bufnr, row)
end

-- The text around the cursor; a menu that was closed there does not open there again.
local function place()
  local cursor = vim.api.nvim_win_get_cursor(0)
  local text = vim.api.nvim_get_current_line()
  return ('%d:%d:%d:%s'):format(vim.api.nvim_get_current_buf(), cursor[1], cursor[2], text)
end

---@type string?
local closed
---@type uv.uv_timer_t?
local timer

local function rest()
  if timer and not timer:is_closing() then
    timer:close()
  end
  timer = nil
end

-- Opens the menu a little later, unless somebody types on.
---@param bufnr integer
local function typed(bufnr)
  rest()
  local cursor = vim.api.nvim_win_get_cursor(0)
  local text = vim.api.nvim_get_current_line():sub(1, cursor[2])
  local isnt_wanted = config.get('autotrigger') ~= 'auto' or vim.o.paste or closed == place()
  if isnt_wanted or not expects(bufnr, cursor[1] - 1, text) or M.has_rival() then
    return
  end
  local before = place()
  timer = vim.defer_fn(function()
    rest()
    if vim.fn.mode() == 'i' and vim.fn.pumvisible() == 0 and place() == before then
      vim.bo[bufnr].completeopt = careful
        .. (vim.go.completeopt:find('popup') and ',popup' or '')
      vim.lsp.completion.get()
    end
  end, delay_milliseconds)
end

--- Has the menu of a buffer open by itself, as `autotrigger` of the options says.
---@param id integer the client
---@param bufnr integer
function M.enable(id, bufnr)
  vim.lsp.completion.enable(true, id, bufnr, { autotrigger = config.get('autotrigger') == true })
  if vim.b[bufnr].postkit_completes then
    return
  end
  vim.b[bufnr].postkit_completes = true
  local group = vim.api.nvim_create_augroup('postkit.completion', { clear = false })
  vim.api.nvim_create_autocmd('TextChangedI', {
    group = group, buffer = bufnr, callback = function() typed(bufnr) end,
  })
  vim.api.nvim_create_autocmd({ 'CompleteDone', 'InsertLeave' }, {
    group = group, buffer = bufnr,
    callback = function()
      rest()
      closed = place()
      -- The option of the user counts again.
      vim.bo[bufnr].completeopt = ''
    end,
  })
end

-- Whether an answer goes to Neovim's own completion.
---@param handler function?
local function is_neovims(handler)
  local source = handler and debug.getinfo(handler, 'S').source or ''
  return vim.endswith(source, 'vim/lsp/completion.lua')
end

-- Runs something while case counts for nothing.
---@param run fun()
local function without_case(run)
  local before = { vim.o.eventignore, vim.o.ignorecase, vim.o.smartcase }
  vim.o.eventignore = 'OptionSet'
  vim.o.ignorecase, vim.o.smartcase = true, false
  local fine, reason = pcall(run)
  vim.o.ignorecase, vim.o.smartcase = before[2], before[3]
  vim.o.eventignore = before[1]
  if not fine then
    error(reason, 0)
  end
end

--- Has Neovim's menu take items whose words begin with what is typed but for the case, as names of
--- headers may be typed in any. Neovim 0.12 compares exactly unless 'ignorecase' is set.
---@param client vim.lsp.Client
function M.guard(client)
  local request = client.request
  ---@diagnostic disable-next-line: duplicate-set-field
  client.request = function(self, method, parameters, handler, bufnr)
    if method ~= 'textDocument/completion' or not handler or not is_neovims(handler) then
      return request(self, method, parameters, handler, bufnr)
    end
    return request(self, method, parameters, function(...)
      local answer = { n = select('#', ...), ... }
      without_case(function() handler(unpack(answer, 1, answer.n)) end)
    end, bufnr)
  end
end

return M
