vim9script
# Notices other plugins that do what this one does, and says once what to switch off.

import autoload 'postkit/config.vim'

# By then other plugins have seen the file.
const delay_milliseconds = 1000

# Plugins that open a menu of their own while somebody types: what tells that they are there.
const completers: list<func> = [
  () => exists('g:asyncomplete_loaded'),
  () => exists('g:did_coc_loaded'),
  () => exists(':YcmCompleter') == 2,
  () => exists('g:loaded_mucomplete'),
  () => exists('g:loaded_vimcomplete'),
  () => exists('g:loaded_completor_plugin'),
  () => exists('g:loaded_compete'),
  () => exists('g:ncm2_loaded'),
  () => exists('*deoplete#is_enabled') && !!call('deoplete#is_enabled', []),
  () => exists('*ddc#enable'),
  () => exists('*neocomplete#is_enabled') && !!call('neocomplete#is_enabled', []),
  () => !!get(g:, 'ale_completion_enabled', 0),
  # Vim 9.1.1590 and newer have it built in.
  () => exists('&autocomplete') && !!eval('&autocomplete'),
]

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

# Whether another plugin completes while somebody types.
export def Completes(): bool
  return indexof(completers, (_, IsThere) => IsThere()) >= 0
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
