-- Defines the command, the <Plug> maps and the events of PostKit; everything else loads on use.
if vim.g.loaded_postkit then
  return
end
vim.g.loaded_postkit = 1

if vim.fn.has('nvim-0.11') == 0 then
  vim.api.nvim_create_user_command('PostKit', function()
    local version = vim.version()
    local own = ('%d.%d.%d'):format(version.major, version.minor, version.patch)
    vim.notify('PostKit needs Neovim 0.11 or newer, and this is ' .. own
      .. ': install one of https://github.com/neovim/neovim/releases', vim.log.levels.WARN)
  end, { nargs = '*' })
  return
end

vim.api.nvim_create_user_command('PostKit', function(arguments)
  local marked = arguments.range > 0
  require('postkit').typed(arguments.fargs, arguments.args, {
    bang = arguments.bang,
    first = marked and arguments.line1 or nil,
    last = marked and arguments.line2 or nil,
  })
end, {
  nargs = '*',
  range = true,
  bang = true,
  desc = 'Send HTTP requests and look at what came back',
  complete = function(lead, line)
    return require('postkit').complete(lead, line)
  end,
})

-- Each word of the command that needs no other, and what else maps call two of them.
local verbs = 'action again cancel collections cookies copyas curl diff env filter history hover link '
  .. 'open output page paste path preview rename response restart save search select send sendall '
  .. 'session start stats status stop timeline toggle undo variables view write'
for name in (verbs .. ' environment=env send-all=sendall'):gmatch('%S+') do
  local lhs, verb = name:match('^(.*)=(.*)$')
  vim.keymap.set('n', '<Plug>(postkit-' .. (lhs or name) .. ')', function()
    require('postkit').command({ verb or name })
  end)
end

for _, verb in ipairs({ 'send', 'toggle' }) do
  local lhs = ('<Plug>(postkit-%s)'):format(verb)
  vim.keymap.set('x', lhs, (':PostKit %s<CR>'):format(verb), { silent = true })
end

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = vim.api.nvim_create_augroup('postkit', {}),
  pattern = 'postkit:/*',
  callback = function(event)
    require('postkit.response').read(event.match, event.buf)
  end,
})

-- A session names what its windows show of ours, without the text.
vim.api.nvim_create_autocmd('SessionLoadPost', {
  group = 'postkit',
  callback = function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local bufnr = vim.api.nvim_win_get_buf(window)
      local name = vim.api.nvim_buf_get_name(bufnr)
      if vim.startswith(name, 'postkit:/') then
        require('postkit.response').read(name, bufnr, true)
      end
    end
  end,
})

-- Neovim's client takes longer to load than all of this: it is left alone until a request is there.
if vim.g.postkit_enable ~= false then
  vim.api.nvim_create_autocmd('FileType', {
    group = 'postkit',
    pattern = { 'http', 'rest' },
    once = true,
    callback = function(event)
      vim.lsp.enable('postkit')
      -- Neovim passes over a program that is missing without a word.
      vim.schedule(function() require('postkit.program').found() end)
      -- What is opened with Neovim's start is there before it looks for such files by itself.
      if vim.v.vim_did_enter == 0 then
        vim.api.nvim_exec_autocmds('FileType', { group = 'nvim.lsp.enable', buffer = event.buf })
      end
    end,
  })
end
