-- What happens by itself, or at a key of Neovim's own, while somebody types.
local config = require('postkit.config')
local steps = require('steps')
local support = require('support')
local wait, same, yes = support.wait, support.same, support.yes

-- The words of the menu.
local function menu()
  return vim.tbl_map(function(item)
    return item.abbr ~= '' and item.abbr or item.word
  end, vim.fn.complete_info({ 'items' }).items)
end

local function wait_menu(keys, pattern)
  support.type(keys)
  wait(function()
    return vim.fn.pumvisible() == 1 and table.concat(menu(), '\n'):find(pattern)
  end, function() return pattern .. ' in the menu, it is ' .. vim.inspect(menu()) end)
end

local function leave(line)
  support.type('<Esc>')
  wait(function() return vim.fn.mode() == 'n' end, 'Normal mode')
  same(vim.api.nvim_get_current_line(), line, 'what was typed')
end

-- The menu opens for a variable, a tag, the name of a header and its value, and changes nothing.
local function completes_by_itself()
  config.set({ autotrigger = 'auto' })
  steps.open('requests.http')
  vim.bo.completeopt = ''
  steps.go('Accept: application/json')
  wait_menu('oAcc', 'Accept%-Language')
  leave('Acc')
  wait_menu('ccAccept: ', 'application/json')
  leave('Accept: ')
  wait_menu('ccX-Own: a{{gr', 'greeting')
  support.type('<C-N><C-Y>')
  wait(function() return vim.fn.pumvisible() == 0 end, 'the end of the menu')
  yes(vim.startswith(vim.api.nvim_get_current_line(), 'X-Own: a{{greeting'), 'the choice')
  support.type('<Esc>')
  wait(function() return vim.fn.mode() == 'n' end, 'Normal mode')
  same(vim.bo.completeopt, '', "the user's own 'completeopt'")
  steps.go('# @name hello')
  wait_menu('o# @no', 'no%-')
  leave('# @no')
end

-- Elsewhere, and where another plugin completes, no question is asked.
local function leaves_alone()
  local asked, own = 0, vim.lsp.completion.get
  vim.lsp.completion.get = function(...)
    asked = asked + 1
    return own(...)
  end
  steps.go('### slow')
  support.type('o# a word of a comm')
  support.pause(150)
  leave('# a word of a comm')
  same(asked, 0, 'the questions in a comment')
  package.loaded['blink.cmp'] = {}
  steps.go('Accept: application/json')
  support.type('oAcc')
  support.pause(150)
  leave('Acc')
  same(asked, 0, 'the questions beside another plugin')
  package.loaded['blink.cmp'] = nil
  wait_menu('ccAcc', 'Accept%-Language')
  leave('Acc')
  same(asked, 1, 'the questions without it')
  vim.lsp.completion.get = own
  config.set({ autotrigger = false })
  vim.cmd('silent edit!')
end

-- The key sends on a request, and is Neovim's own with a count, elsewhere, or where it is taken.
local function sends_by_key()
  steps.open('several.rest')
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  local before = #steps.replies
  support.type('<CR>')
  wait(function() return #steps.replies == before + 1 end, 'the reply to the key')
  same(vim.api.nvim_win_get_cursor(0)[1], 1, 'the line of the cursor')
  support.type('2<CR>')
  wait(function() return vim.api.nvim_win_get_cursor(0)[1] == 3 end, 'the line below')
  same(#steps.replies, before + 1, 'the number of replies')
  local function mapped()
    vim.cmd('silent edit!')
    return vim.fn.maparg('<CR>', 'n', false, true).desc
  end
  yes(mapped(), 'it is mapped')
  config.set({ send_key = '' })
  same(mapped(), nil, 'the key that is switched off')
  config.set({ send_key = '<CR>' })
  vim.keymap.set('n', 'gz', '<Plug>(postkit-send)')
  same(mapped(), nil, 'the key where another sends')
  vim.keymap.del('n', 'gz')
  vim.keymap.set('n', '<CR>', 'j', { desc = 'mine' })
  same(mapped(), 'mine', 'the key where it is taken')
  vim.keymap.del('n', '<CR>')
  yes(mapped(), 'it is mapped again')
end

local function completes()
  completes_by_itself()
  leaves_alone()
end

return { completes = completes, sends_by_key = sends_by_key }
