vim9script noclear
# Sets the options of an HTTP request file; it maps no keys.

if exists('b:did_ftplugin')
  finish
endif
b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=:#,:// iskeyword+=$,-
setlocal omnifunc=postkit#complete#Omni
setlocal keywordprg=:PostKit\ hover
b:undo_ftplugin = 'setlocal commentstring< comments< iskeyword< omnifunc< keywordprg<'
