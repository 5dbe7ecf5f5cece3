-- What the server writes, moves or leads to, and Neovim's own client has no command for.
local client = require('postkit.client')
local config = require('postkit.config')

local M = {}

---@param text string?
local function is_curl(text)
  return text ~= nil and text:find('^%s*%$?%s*curl%s') ~= nil
end

--- Makes a request of a curl command line: of the named register, else of the unnamed one or the
--- clipboard, whichever holds one.
---@param words string[]
function M.paste(words)
  local text = vim.fn.getreg(words[1] or '"')
  if not words[1] and not is_curl(text) and vim.fn.has('clipboard') == 1 then
    text = vim.fn.getreg('+')
  end
  local bufnr, argument = vim.api.nvim_get_current_buf(), require('postkit.store').here()
  argument.text = text
  client.with_requests(bufnr, function(server)
    client.execute(server, 'postkit.pasteCurl', argument, function(error)
      if error then
        config.complain(error.message)
      end
    end, bufnr)
  end)
end

--- Switches the header and query lines of some lines off, or on where all of them are off; without
--- lines, that of the cursor.
---@param first integer? the first line, from 1
---@param last integer? the last line
function M.toggle(first, last)
  local bufnr, line = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1]
  local from, to = (first or line) - 1, (last or line) - 1
  client.with_requests(bufnr, function(server)
    local text = vim.api.nvim_buf_get_lines(bufnr, to, to + 1, false)[1] or ''
    local finish = vim.str_utfindex(text, server.offset_encoding)
    client.execute(server, 'postkit.toggleLine', {
      uri = vim.uri_from_bufnr(bufnr),
      range = {
        start = { line = from, character = 0 },
        ['end'] = { line = to, character = finish },
      },
    }, function(error, switched)
      config.refused(error)
      -- Neovim 0.12 has nil for an answer that is false.
      if not error and not switched then
        config.say('No header or query parameter on this line. Go to one.')
      end
    end, bufnr)
  end)
end

-- The name that a file is to get: in a folder that is there it keeps the last part of its own.
---@param old string
---@param path string
local function target(old, path)
  local new = vim.fs.normalize(vim.fn.fnamemodify(path, ':p'))
  return vim.fn.isdirectory(new) == 1 and vim.fs.joinpath(new, vim.fs.basename(old)) or new
end

--- Gives the variable or request under the cursor another name in all files; without one it is asked
--- for.
---@param words string[]
function M.rename(words)
  client.with(vim.api.nvim_get_current_buf(), function()
    vim.lsp.buf.rename(words[1])
  end)
end

--- Gives the file of the buffer another name; the paths in other files follow.
---@param words string[]
function M.move(words)
  local bufnr, path = vim.api.nvim_get_current_buf(), table.concat(words, ' ')
  local old = vim.api.nvim_buf_get_name(bufnr)
  if path == '' then
    return config.complain('Name the new file or folder: `:PostKit move PATH`.')
  elseif not vim.uv.fs_stat(old) then
    return config.complain('This buffer has no file yet. Write it first.')
  end
  local new = target(old, path)
  if vim.uv.fs_stat(new) then
    return config.complain(new .. ' already exists. Choose another name.')
  end
  local files = { { oldUri = vim.uri_from_fname(old), newUri = vim.uri_from_fname(new) } }
  client.with(bufnr, function(server)
    server:request('workspace/willRenameFiles', { files = files }, function(error, edit)
      if error then
        config.complain(error.message .. ' The paths in other files stay as they are.')
      elseif type(edit) == 'table' then
        vim.lsp.util.apply_workspace_edit(edit, server.offset_encoding)
        config.say('Updated the paths in other files. `:wall` writes them.')
      end
      vim.lsp.util.rename(old, new)
      server:notify('workspace/didRenameFiles', { files = files })
    end, bufnr)
  end)
end

---@param range lsp.Range
---@param position lsp.Position
local function holds(range, position)
  local first, last = range.start, range['end']
  local isAfter = position.line > first.line
    or (position.line == first.line and position.character >= first.character)
  local isBefore = position.line < last.line
    or (position.line == last.line and position.character < last.character)
  return isAfter and isBefore
end

---@param server vim.lsp.Client
---@param link lsp.DocumentLink
local function follow(server, link)
  if not link.target then
    return config.complain(link.tooltip or 'This link leads nowhere.')
  elseif vim.startswith(link.target, 'file:') then
    local start = { line = 0, character = 0 }
    local place = { uri = link.target, range = { start = start, ['end'] = start } }
    vim.lsp.util.show_document(place, server.offset_encoding, { focus = true })
  else
    vim.ui.open(link.target)
  end
end

--- Goes where the path or address under the cursor leads: to a file, or outside to a browser.
function M.link()
  local bufnr = vim.api.nvim_get_current_buf()
  client.with(bufnr, function(server)
    local here = vim.lsp.util.make_position_params(0, server.offset_encoding)
    local asked = { textDocument = here.textDocument }
    server:request('textDocument/documentLink', asked, function(error, links)
      local link = vim.iter(type(links) == 'table' and links or {}):find(function(each)
        return holds(each.range, here.position)
      end)
      if error or not link then
        return config.complain(error and error.message or 'No link under the cursor.')
      elseif link.target then
        return follow(server, link)
      end
      server:request('documentLink/resolve', link, function(failure, resolved)
        if failure then
          return config.complain(failure.message)
        end
        follow(server, resolved)
      end, bufnr)
    end, bufnr)
  end)
end

return M
