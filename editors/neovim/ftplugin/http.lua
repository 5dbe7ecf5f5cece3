-- Sets the options of an HTTP request file, and the key that sends, unless that is taken.
vim.bo.commentstring = '# %s'
vim.bo.comments = ':#,://'
vim.b.undo_ftplugin = (vim.b.undo_ftplugin and vim.b.undo_ftplugin .. ' | ' or '')
  .. 'setlocal commentstring< comments<'
-- What plugin/postkit.lua says is missing in an older Neovim is not tried.
if vim.fn.has('nvim-0.11') == 1 then
  require('postkit.treesitter').add()
  if vim.g.postkit_enable ~= false then
    require('postkit.key').map(vim.api.nvim_get_current_buf())
  end
end
