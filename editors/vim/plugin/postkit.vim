vim9script noclear
# Defines the command, the <Plug> maps and the events of PostKit; everything else loads on use.

if exists('g:loaded_postkit')
  finish
endif
g:loaded_postkit = 1

if !has('patch-9.0.0438') || !has('job') || !has('channel') || !has('textprop')
    || !has('popupwin') || !has('timers')
  command -nargs=* PostKit echohl WarningMsg |
    \ echomsg 'PostKit needs Vim 9.0.438 or newer with +job, +channel, +textprop and +popupwin' |
    \ echohl None
  finish
endif

import autoload 'postkit/command.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/client.vim'

command -nargs=* -range -bang -complete=customlist,postkit#command#Complete PostKit
  \ command.Run([<f-args>], <q-args>, <bang>false, <range> == 0 ? [] : [<line1>, <line2>])

# Whether a window was made for a response or a list.
def Shown(): bool
  return match(getwininfo()->mapnew((_, info) => bufname(info.bufnr)), 'postkit:/') >= 0
enddef

# A session writes maps down and makes them anew, so that they must mean the same in any script.
for verb in ['action', 'again', 'callers', 'calls', 'cancel', 'collections', 'cookies', 'copyas',
    'curl', 'definition', 'diff', 'env', 'evaluate', 'filter', 'format', 'history', 'hover', 'link',
    'open', 'output', 'page', 'paste', 'preview', 'references', 'rename', 'response', 'restart',
    'save', 'search', 'select', 'send', 'sendall', 'session', 'signature', 'stats', 'status',
    'symbols', 'timeline', 'toggle', 'undo', 'values', 'variables', 'view']
  execute printf('nnoremap <Plug>(postkit-%s) <Cmd>PostKit %s<CR>', verb, verb)
endfor
nnoremap <Plug>(postkit-environment) <Cmd>PostKit env<CR>
nnoremap <Plug>(postkit-send-all) <Cmd>PostKit sendall<CR>
for verb in ['send', 'format', 'toggle']
  execute printf("xnoremap <Plug>(postkit-%s) <Cmd>call postkit#command#Selected('%s')<CR><Esc>",
    verb, verb)
endfor

augroup postkit
  autocmd!
  if get(g:, 'postkit_enable', true)
    autocmd FileType http,rest document.Attach(str2nr(expand('<abuf>')))
  endif
  autocmd BufReadCmd postkit:/* response.Read(expand('<amatch>'), str2nr(expand('<abuf>')))
  autocmd SessionLoadPost * if Shown() | response.Restore() | endif
  autocmd VimLeavePre * if exists('g:postkit_running') | client.Leave() | endif
augroup END
