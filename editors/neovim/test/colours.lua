-- The colours that the server gives to a text, for features.lua.
local project, support = require('project'), require('support')
local wait, same = support.wait, support.same
local write, open, set, go = project.write, project.open, project.set, project.go
local client = require('postkit.client')

local M = {}

-- The highlight groups of semantic tokens under the cursor, strongest last.
local function painted()
  local groups = {}
  for _, mark in ipairs(vim.inspect_pos().semantic_tokens) do
    groups[mark.opts.hl_group] = true
  end
  return groups
end

-- Has the next change of colours come late; answers what waits for it and lets it come.
local function delays_colours()
  local rpc, late = client.of(0).rpc, nil
  local request = rpc.request
  rpc.request = function(method, parameters, callback, ...)
    if method ~= 'textDocument/semanticTokens/full/delta' then
      return request(method, parameters, callback, ...)
    end
    rpc.request = request
    return request(method, parameters, function(...)
      local answer = { ... }
      late = function() callback(unpack(answer, 1, 2)) end
    end, ...)
  end
  return function()
    wait(function() return late end, 'a change of colours')
    vim.lsp.semantic_tokens.force_refresh(0)
    late()
  end
end

--- What has a value, what has none and what is secret has its colour, also when that changes.
function M.paint()
  open()
  set('GET http://127.0.0.1:1/{{late}}\nAuthorization: Bearer {{token}}')
  go('{{la')
  wait(function() return painted()['@lsp.mod.unresolved.http'] end, 'an unresolved name')
  same(vim.api.nvim_get_hl(0, { name = '@lsp.mod.unresolved.http' }).link, 'DiagnosticError',
    'its colour')
  go('{{to')
  wait(function() return painted()['@lsp.mod.secret.http'] end, 'a secret name')
  -- A change that comes when all was asked for anew is of nothing that is there.
  local come = delays_colours()
  set('GET http://127.0.0.1:1/{{late}}\nX: 1\nAuthorization: Bearer {{token}}')
  come()
  go('{{to')
  wait(function() return painted()['@lsp.mod.secret.http'] end, 'a secret name in another line')
  write('project/http-client.env.json', '{ "dev": { "late": "now" } }')
  -- Neovim watches no files on Linux: the server looks when something is written.
  vim.cmd('silent write')
  go('{{la')
  wait(function()
    return painted()['@lsp.type.variable.http'] and not painted()['@lsp.mod.unresolved.http']
  end, function() return 'a name with a value, not ' .. vim.inspect(painted()) end)
end

return M
