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

command -nargs=* -range -bar -bang -complete=customlist,postkit#command#Complete PostKit
  \ command.Run([<f-args>], <bang>false)

nnoremap <Plug>(postkit-send) <ScriptCmd>command.Run(['send'])<CR>
nnoremap <Plug>(postkit-send-all) <ScriptCmd>command.Run(['sendall'])<CR>
nnoremap <Plug>(postkit-cancel) <ScriptCmd>command.Run(['cancel'])<CR>
nnoremap <Plug>(postkit-response) <ScriptCmd>command.Run(['response'])<CR>
nnoremap <Plug>(postkit-environment) <ScriptCmd>command.Run(['env'])<CR>
nnoremap <Plug>(postkit-history) <ScriptCmd>command.Run(['history'])<CR>
nnoremap <Plug>(postkit-collections) <ScriptCmd>command.Run(['collections'])<CR>
nnoremap <Plug>(postkit-save) <ScriptCmd>command.Run(['save'])<CR>
nnoremap <Plug>(postkit-curl) <ScriptCmd>command.Run(['curl'])<CR>
nnoremap <Plug>(postkit-hover) <ScriptCmd>command.Run(['hover'])<CR>
nnoremap <Plug>(postkit-action) <ScriptCmd>command.Run(['action'])<CR>

augroup postkit
  autocmd!
  if get(g:, 'postkit_enable', true)
    autocmd FileType http,rest document.Attach(str2nr(expand('<abuf>')))
  endif
  autocmd BufReadCmd postkit:/* response.Read(expand('<amatch>'), str2nr(expand('<abuf>')))
  autocmd VimLeavePre * if exists('g:postkit_running') | client.Leave() | endif
augroup END
