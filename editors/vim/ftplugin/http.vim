vim9script noclear
# Sets the options of an HTTP request file; it maps no keys.

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
