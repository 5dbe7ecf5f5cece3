vim9script
# Notices other plugins that do what this one does, and says once what to switch off.

import autoload 'postkit/config.vim'

# By then other plugins have seen the file.
const delay_milliseconds = 1000

var isAsked = false

# Says once which plugins serve request files as well; the work goes on either way.
export def Tell(bufnr: number)
  if !isAsked
    isAsked = true
    timer_start(delay_milliseconds, (_) => {
      for sentence in Others(bufnr)
        config.Say(sentence)
      endfor
    })
  endif
enddef

# What is said about each plugin that is there.
export def Found(bufnr: number): list<string>
  return Others(bufnr)
enddef

def Others(bufnr: number): list<string>
  var found: list<string> = []
  for [name, advice] in Clients(bufnr)
    add(found, printf('%s runs postkit as well, so that everything is shown twice: %s, or '
      .. '`let g:postkit_enable = v:false` to keep to it', name, advice))
  endfor
  if !empty(globpath(&runtimepath, 'ftplugin/rest.vim')) && !empty(globpath(&runtimepath,
      'doc/vim-rest-console.txt'))
    add(found, 'vim-rest-console serves `.rest` files as well: '
      .. '`let g:vrc_set_default_mapping = 0` takes its keys away')
  endif
  return found
enddef

# The clients that have `postkit` among their servers for request files, and where it is taken out.
def Clients(bufnr: number): list<list<string>>
  var found: list<list<string>> = []
  if exists('*lsp#get_allowed_servers') && Ours(call('lsp#get_allowed_servers', [bufnr]))
    add(found, ['vim-lsp', 'take it out of lsp#register_server()'])
  endif
  if exists('*lsp#buffer#BufLspServersGet') && Ours(call('lsp#buffer#BufLspServersGet', [bufnr])
      ->mapnew((_, server) => get(server, 'name', '')))
    add(found, ['yegappan/lsp', 'take it out of LspAddServer()'])
  endif
  if exists('*coc#rpc#ready') && call('coc#rpc#ready', [])
      && Ours(keys(call('coc#util#get_config', ['languageserver'])))
    add(found, ['coc.nvim', 'take it out of `languageserver` in coc-settings.json'])
  endif
  for filetype in ['http', 'rest']
    if Ours(get(get(g:, 'ale_linters', {}), filetype, []))
      add(found, ['ALE', 'take it out of g:ale_linters'])
      break
    endif
  endfor
  return found
enddef

def Ours(names: list<any>): bool
  return match(names, '\c\<postkit\>') >= 0
enddef
