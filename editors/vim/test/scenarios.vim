vim9script
# The scenarios of ../../README.md in this Vim, against the real server.

set nomore cpo&vim ttimeoutlen=1 encoding=utf-8 columns=120 lines=40 completeopt=menuone
execute 'set runtimepath^=' .. expand('<sfile>:p:h:h')
filetype plugin on
syntax on
# Every scenario runs beside functions of the user's that have the names of ours.
import './strangers.vim'
strangers.Define()
# Responses are looked at whole, but where it is about how they begin.
g:postkit = {command: [$POSTKIT_BIN, 'lsp'], options: {testing: true}, view: 'all'}
runtime plugin/postkit.vim
runtime! ftdetect/*.vim

import './support.vim'
import './text.vim'
import './language.vim'
import './sending.vim'
import './streams.vim'
import './responses.vim'
import './environments.vim'
import './stores.vim'
import './trouble.vim'

support.Note($POSTKIT_SPEED)
text.Run()
language.Run()
sending.Run()
streams.Run()
responses.Run()
environments.Run()
stores.Run()
# Last, for it ends the server.
trouble.Run()
qall!
