-- Guesses where the requests of a buffer stand. The server decides what a request is; a guess only
-- places a mark until its answer comes.
local M = {}

-- Whether a line stands before the request line of its block.
---@param text string
local function is_before(text)
  return text:match('^%s*$')
    or text:match('^%s*#')
    or text:match('^%s*//')
    or text:match('^[@<]')
    or text:match('^import%s')
    or text:match('^run%s')
end

-- The row of the request line of the block that begins with a row.
---@param lines string[]
---@param first integer
---@return integer?
local function below(lines, first)
  local script = false
  for index = first, #lines - 1 do
    local text = lines[index + 1]
    if index > first and vim.startswith(text, '###') then
      return nil
    elseif script or text:match('^<%s*{%%') then
      script = not text:find('%}', 1, true)
    elseif not is_before(text) then
      return index
    end
  end
end

--- The row (from 0) of the request line of the block around a row: where its result is drawn.
---@param bufnr integer
---@param row integer
---@return integer?
function M.at(bufnr, row)
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  local first = row
  while first > 0 and not vim.startswith(lines[first + 1] or '', '###') do
    first = first - 1
  end
  return below(lines, first)
end

--- The rows of the request lines of a buffer, or of the blocks that some of its rows touch.
---@param bufnr integer
---@param from integer? the first row
---@param to integer? the last row
---@return integer[]
function M.all(bufnr, from, to)
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  local starts = {}
  for index, text in ipairs(lines) do
    if index == 1 or vim.startswith(text, '###') then
      starts[#starts + 1] = index - 1
    end
  end
  local rows = {}
  for index, start in ipairs(starts) do
    local next = starts[index + 1] or #lines
    if start <= (to or #lines) and next > (from or 0) then
      rows[#rows + 1] = below(lines, start)
    end
  end
  return rows
end

return M
