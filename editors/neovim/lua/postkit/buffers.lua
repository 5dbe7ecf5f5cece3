-- The buffers of what the server has to show: named as its documents, and gone when nobody looks.
local M = {}

--- The filetype of a body that stands alone, by the name of its document.
---@param uri string
---@return string?
function M.language(uri)
  local name = uri:match('^postkit:/response/[%x-]+/(%a+%.%w+)')
    or uri:match('^postkit:/tests/') and 'tests.txt'
    or uri:match('^file:.*/view/[%x-]+%-(%a[^/]*)$')
  if name and not vim.endswith(name, '.http') then
    return vim.filetype.match({ filename = name }) or 'text'
  end
end

--- The buffer of a document, made where there is none.
---@param uri string
---@return integer
function M.named(uri)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(bufnr) == uri then
      return bufnr
    end
  end
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, uri)
  return bufnr
end

--- Tells a server of a buffer: it offers what can be done with a response or a line of a list.
---@param id integer
---@param bufnr integer
function M.attach(id, bufnr)
  if vim.lsp.get_client_by_id(id) and not vim.lsp.buf_is_attached(bufnr, id) then
    vim.lsp.buf_attach_client(bufnr, id)
  end
end

--- Has a buffer go a little after the last window that shows it: what Neovim still has to do with it,
--- such as to ask for its colours, would find nothing and tell so.
---@param bufnr integer
function M.vanish(bufnr)
  vim.bo[bufnr].bufhidden = 'hide'
  if vim.b[bufnr].postkit_vanishes then
    return
  end
  vim.b[bufnr].postkit_vanishes = true
  vim.api.nvim_create_autocmd('BufHidden', {
    buffer = bufnr,
    callback = vim.schedule_wrap(function()
      if vim.api.nvim_buf_is_valid(bufnr) and not vim.b[bufnr].postkit_stays
        and #vim.fn.win_findbuf(bufnr) == 0 then
        vim.api.nvim_buf_delete(bufnr, { force = true })
      end
    end),
  })
end

--- How many rows the window of a list has: at most a third of the screen's, so that the requests and
--- a response stay in sight.
---@param count integer of lines that it would show
---@param most integer
---@return integer
function M.list_height(count, most)
  return math.max(6, math.min(count, most, math.floor(vim.o.lines / 3)))
end

--- Has the windows of a list show its lines whole, as where a sentence is all there is, or cut.
---@param bufnr integer
---@param is_whole boolean
function M.wrap(bufnr, is_whole)
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    local scope = { win = window, scope = 'local' }
    vim.api.nvim_set_option_value('wrap', is_whole, scope)
    vim.api.nvim_set_option_value('linebreak', is_whole, scope)
  end
end

return M
