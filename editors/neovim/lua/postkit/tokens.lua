-- Semantic tokens: the server's own modifiers, which Neovim does not name by itself.
local M = {}

local modifiers = { 'unresolved', 'secret' }

-- `:highlight` and colour schemes win over these.
for group, target in pairs({
  ['@lsp.mod.unresolved.http'] = 'DiagnosticError',
  ['@lsp.mod.secret.http'] = 'Special',
}) do
  vim.api.nvim_set_hl(0, group, { link = target, default = true })
end

--- What the server is told: Neovim's modifiers and those two.
function M.capabilities()
  local known = vim.lsp.protocol.make_client_capabilities().textDocument.semanticTokens
  local all = vim.list_extend(vim.list_slice(known and known.tokenModifiers or {}), modifiers)
  return { tokenModifiers = all }
end

-- What is known of the colours that a buffer has asked a server for.
---@param id integer
---@param bufnr integer
---@return {active_request: {request_id: integer?}}?
local function state(id, bufnr)
  return vim.tbl_get(vim.lsp, 'semantic_tokens', '__STHighlighter', 'active', bufnr, 'client_state', id)
end

--- Drops answers about colours that Neovim no longer waits for. Neovim 0.11 takes a change of colours
--- that comes after it gave up the question, as when a file is reloaded, for one of what it has now,
--- and fails or paints the wrong words.
---@param client vim.lsp.Client
function M.guard(client)
  local request = client.request
  ---@diagnostic disable-next-line: duplicate-set-field
  client.request = function(self, method, parameters, handler, bufnr)
    if not handler or not vim.startswith(method, 'textDocument/semanticTokens/full') then
      return request(self, method, parameters, handler, bufnr)
    end
    local sent, id
    sent, id = request(self, method, parameters, function(error, result, context)
      local now = state(client.id, context.bufnr)
      if not now or now.active_request.request_id == id then
        handler(error, result, context)
      end
    end, bufnr)
    return sent, id
  end
end

return M
