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

return M
