-- Other plugins that serve `.http` files: both can run, but marks and menus then come twice.
local config = require('postkit.config')

local M = {}

-- By the module that such a plugin has loaded, or by the name of its server.
local modules = { kulala = 'kulala.nvim', ['rest-nvim'] = 'rest.nvim' }
local servers = { kulala = 'kulala.nvim', kulala_ls = 'kulala-ls', ['kulala-ls'] = 'kulala-ls' }

local told = false

--- The names of those that are at work, and what to write to be without each.
---@return {name: string, remedy: string}[]
function M.found()
  local found, known = {}, {}
  local function add(name, remedy)
    if not known[name] then
      known[name] = true
      found[#found + 1] = { name = name, remedy = remedy }
    end
  end
  for module, name in vim.spairs(modules) do
    if package.loaded[module] then
      add(name, ('take %s out of your plugins'):format(name))
    end
  end
  for _, server in ipairs(vim.lsp.get_clients()) do
    local name = servers[server.name]
    if name then
      add(name, ("vim.lsp.enable('%s', false)"):format(server.name))
    end
  end
  return found
end

--- Names them once in a session.
function M.tell()
  local found = not told and config.get('rivals') ~= false and M.found() or {}
  if #found == 0 then
    return
  end
  told = true
  local parts = vim.tbl_map(function(rival)
    return ('%s serves .http files as well. To disable it, %s.'):format(rival.name, rival.remedy)
  end, found)
  config.say(table.concat(parts, ' ')
    .. ' Both work, but marks and menus appear twice.'
    .. ' `vim.g.postkit = { rivals = false }` hides this message.')
end

return M
