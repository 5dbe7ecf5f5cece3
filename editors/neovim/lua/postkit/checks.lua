-- How each check of a request went, as the record of its exchange has it.

local M = {}

-- The server tells no more at once.
local piece = 2 ^ 20

---@class postkit.Check
---@field name string what is checked, as it is written
---@field passed boolean
---@field message string why it does not hold

--- Reads the checks of an exchange.
---@param server vim.lsp.Client
---@param id string
---@param done fun(error: lsp.ResponseError?, checks: postkit.Check[]?, summary: string?)
function M.read(server, id, done)
  -- A piece never ends inside of a character, so that all are texts.
  local function read(known)
    local asked = { id = id, view = 'record', offset = #known, length = piece }
    server:request('postkit/exchange', asked, function(error, result)
      if error then
        return done(error)
      end
      local record = known .. result.data
      if not result.eof then
        return read(record)
      end
      done(nil, vim.json.decode(record).tests, result.tests)
    end)
  end
  read('')
end

--- The checks as lines: what they came to, then each, and below one that failed the reason.
---@param checks postkit.Check[]
---@param summary string? what they came to, in the server's words
---@return string[]
function M.lines(checks, summary)
  if #checks == 0 then
    return { 'This request has no tests. `?? status == 200` is one.' }
  end
  local lines = { summary }
  for _, check in ipairs(checks) do
    lines[#lines + 1] = (check.passed and '✓ ' or '✗ ') .. check.name:gsub('%s*\n%s*', ' ')
    if check.message ~= '' then
      for _, line in ipairs(vim.split(check.message, '\r?\n')) do
        lines[#lines + 1] = '  ' .. line
      end
    end
  end
  return lines
end

return M
