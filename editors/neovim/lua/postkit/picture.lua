-- Draws pictures in terminals that have Kitty's graphics protocol: the terminal gets the bytes once,
-- and draws them where cells with placeholders are.
-- Source: https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
local config = require('postkit.config')

local M = {}

local namespace = vim.api.nvim_create_namespace('postkit.picture')

-- A cell of a picture; the marks behind it say which row it is, by Kitty's list of them. The column
-- follows from the cell to the left.
local placeholder = vim.fn.nr2char(0x10EEEE)
local row_marks = vim.tbl_map(function(code) return vim.fn.nr2char(code) end, {
  0x0305, 0x030D, 0x030E, 0x0310, 0x0312, 0x033D, 0x033E, 0x033F, 0x0346, 0x034A, 0x034B, 0x034C,
  0x0350, 0x0351, 0x0352, 0x0357, 0x035B, 0x0363, 0x0364, 0x0365, 0x0366, 0x0367, 0x0368, 0x0369,
  0x036A, 0x036B, 0x036C, 0x036D, 0x036E, 0x036F, 0x0483, 0x0484, 0x0485, 0x0486, 0x0487, 0x0592,
  0x0593, 0x0594, 0x0595, 0x0597,
})
-- A cell is about twice as high as it is wide; a picture of its own size has cells of so many pixels.
local cell_width, cell_height = 10, 20
-- Larger pictures are opened with another program.
local most_bytes = 8 * 2 ^ 20
-- So many bytes are asked for at once, a multiple of three, as their base64 is joined; and so many
-- characters of it are told the terminal at once.
local piece_bytes, chunk = 3 * 2 ^ 18, 4096

-- The ids that the terminal knows pictures by: they are colours, of which few are ours.
local next_id = 0

--- Whether this terminal can draw pictures.
---@return boolean
function M.can()
  local wish = config.get('pictures')
  if wish ~= 'auto' then
    return wish == true
  end
  local env = vim.env
  local knows = env.KITTY_WINDOW_ID or env.TERM == 'xterm-kitty' or env.TERM == 'xterm-ghostty'
    or env.TERM_PROGRAM == 'ghostty'
  return knows ~= nil and knows ~= false and not env.TMUX and not env.STY and vim.o.termguicolors
    and #vim.api.nvim_list_uis() > 0
end

-- Tells the terminal something that is not for the screen.
---@param text string
local function tell(text)
  if vim.api.nvim_ui_send then
    vim.api.nvim_ui_send(text)
  else
    io.stdout:write(text)
    io.stdout:flush()
  end
end

-- The width and height of a PNG image in pixels, nil for any other bytes (PNG, section 11.2.1).
---@param base64 string
---@return integer? width
---@return integer? height
local function size_of(base64)
  local fine, head = pcall(vim.base64.decode, base64:sub(1, 32))
  if not fine or #head < 24 or head:sub(1, 8) ~= '\137PNG\r\n\26\n' then
    return nil
  end
  local function number(at)
    local a, b, c, d = head:byte(at, at + 3)
    return ((a * 256 + b) * 256 + c) * 256 + d
  end
  return number(17), number(21)
end

-- How many columns and rows a picture has in a window: its own size, or what there is room for.
---@param window integer
---@param width integer
---@param height integer
local function cells(window, width, height)
  local columns = math.min(math.ceil(width / cell_width), vim.api.nvim_win_get_width(window) - 2)
  local most = math.max(1, math.min(#row_marks, vim.api.nvim_win_get_height(window) - 3))
  local rows = math.ceil(columns * cell_width * height / width / cell_height)
  if rows > most then
    columns, rows = math.max(1, math.floor(columns * most / rows)), most
  end
  return math.max(1, columns), math.max(1, rows)
end

-- Gives a picture to the terminal.
---@param id integer
---@param base64 string
---@param columns integer
---@param rows integer
local function transmit(id, base64, columns, rows)
  local head = ('a=T,U=1,f=100,t=d,q=2,i=%d,c=%d,r=%d,'):format(id, columns, rows)
  for first = 1, #base64, chunk do
    local more = first + chunk <= #base64 and 1 or 0
    tell(('\27_G%sm=%d;%s\27\\'):format(first == 1 and head or 'q=2,', more,
      base64:sub(first, first + chunk - 1)))
  end
end

-- Draws the cells of a picture below a row; the terminal forgets it with the buffer.
---@param bufnr integer
---@param row integer
---@param base64 string
local function draw(bufnr, row, base64)
  local window = vim.fn.win_findbuf(bufnr)[1]
  local width, height = size_of(base64)
  if not window or not width or not height or width == 0 or height == 0 then
    return
  end
  next_id = next_id % 0xFF + 1
  -- The third byte keeps apart from ours what others count from 1.
  local id, columns, rows = 0x506B00 + next_id, cells(window, width, height)
  local group = ('postkit_picture_%d'):format(next_id)
  vim.api.nvim_set_hl(0, group, { fg = ('#%06x'):format(id), nocombine = true })
  transmit(id, base64, columns, rows)
  local lines = {}
  for number = 1, rows do
    local first = placeholder .. row_marks[number] .. row_marks[1]
    lines[number] = { { first .. placeholder:rep(columns - 1), group } }
  end
  vim.api.nvim_buf_set_extmark(bufnr, namespace, row, 0, { virt_lines = lines })
  vim.api.nvim_create_autocmd({ 'BufUnload', 'VimLeavePre' }, {
    buffer = bufnr, once = true,
    callback = function() tell(('\27_Ga=d,d=I,q=2,i=%d\27\\'):format(id)) end,
  })
end

-- Reads the body of a response, piece by piece.
---@param server vim.lsp.Client
---@param id string
---@param done fun(base64: string)
local function read(server, id, done)
  local all = {}
  local function ask(offset)
    local asked = { id = id, view = 'raw', offset = offset, length = piece_bytes }
    server:request('postkit/exchange', asked, function(error, piece)
      if error or piece.encoding ~= 'base64' or piece.total > most_bytes then
        return
      end
      all[#all + 1] = piece.data
      if piece.eof then
        return done(table.concat(all))
      end
      ask(offset + piece_bytes)
    end)
  end
  ask(0)
end

--- Draws the picture that a response is, where the terminal can: below the line that says so.
---@param id integer the client that has the response
---@param uri string
---@param bufnr integer
---@param lines string[]
function M.show(id, uri, bufnr, lines)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local row, server = #lines, vim.lsp.get_client_by_id(id)
  local exchange = require('postkit.tabs').of(uri)
  local is_picture = (lines[row] or ''):find('^# image/png, %d+ bytes')
  if not server or not exchange or not is_picture or not M.can() then
    return
  end
  local tick = vim.api.nvim_buf_get_changedtick(bufnr)
  read(server, exchange, function(base64)
    local is_there = vim.api.nvim_buf_is_loaded(bufnr)
    if is_there and vim.api.nvim_buf_get_changedtick(bufnr) == tick then
      draw(bufnr, row - 1, base64)
    end
  end)
end

return M
