-- Completion by Neovim's own menu.
local M = {}

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
