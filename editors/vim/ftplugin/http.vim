vim9script noclear
# Sets the options of an HTTP request file, and the key that sends, unless that is taken.

if exists('b:did_ftplugin')
  finish
endif
b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=:#,:// iskeyword+=$,-
setlocal omnifunc=postkit#complete#Omni
setlocal keywordprg=:PostKit\ hover
setlocal formatexpr=postkit#refactor#Expression()
b:undo_ftplugin = 'setlocal formatexpr< commentstring< comments< iskeyword< omnifunc< keywordprg<'
if get(get(g:, 'postkit', {}), 'folds', false)
  setlocal foldmethod=expr foldexpr=postkit#fold#Level(v:lnum) foldtext=postkit#fold#Text()
  b:undo_ftplugin ..= ' foldmethod< foldexpr< foldtext<'
endif

# The server's own documents have keys of their own, and what a person has mapped stays theirs.
const key = get(get(g:, 'postkit', {}), 'send_key', '<CR>')
if key != '' && get(g:, 'postkit_enable', true) && &buftype == '' && maparg(key, 'n') == ''
    && !hasmapto('<Plug>(postkit-send)', 'n')
  execute printf('nnoremap <buffer> <expr> %s postkit#send#Key(%s)', key,
    string(substitute(key, '<', '<lt>', 'g')))
  b:undo_ftplugin ..= ' | silent! nunmap <buffer> ' .. key
endif
