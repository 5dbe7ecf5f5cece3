-- Names keys of Neovim where the server's texts of responses name documents and actions of its own.
local M = {}

-- What the server says, and what is said here; the first that fits counts.
---@type string[][]
local words = {
  { '^(# Page %d+ of .*) Next page: postkit:%S+$', '%1 Keys: ]] next page, [[ previous, gO outline.' },
  { '^(# Page %d+ of .*%.)$', '%1 Keys: [[ previous page, gO outline.' },
  { '^(# The first %d+ of %d+ bytes%.) The code actions show the rest%.$', '%1 ]] shows the rest.' },
  { '^(# .*%d bytes%.) Open or save it with a code action%.$',
    '%1 `gx` opens it, `:PostKit write FILE` saves it.' },
}
-- So many lines at the beginning, and the last one, are looked at.
local most = 200

---@param line string
---@return string
local function worded(line)
  for _, pair in ipairs(words) do
    local text, count = line:gsub(pair[1], pair[2])
    if count > 0 then
      return text
    end
  end
  return line
end

--- The lines of a response in the words of Neovim. There are as many, for the server knows each by
--- its number.
---@param lines string[]
---@return string[]
function M.response(lines)
  local result = vim.list_slice(lines)
  for row, line in ipairs(lines) do
    if vim.startswith(line, '# ') and (row <= most or row == #lines) then
      result[row] = worded(line)
    end
  end
  return result
end

--- Whether a response is better looked at with another program.
---@param lines string[]
---@return boolean
function M.is_seen_elsewhere(lines)
  for row = 1, math.min(most, #lines) do
    local line = lines[row]:lower()
    local type = line:match('^content%-type:%s*(%S+)') or line:match('^# (%S+), %d+ bytes')
    if type and (vim.startswith(type, 'text/html') or vim.startswith(type, 'image/')) then
      return true
    end
  end
  return false
end

return M
