vim9script
# Reads the user's choices from g:postkit; every key has a default, so that none is required.

const defaults = {
  command: ['postkit', 'lsp'],
  settings: {},
  options: {},
  open: 'auto',
  split: '',
  autocomplete: false,
  hints: true,
  signature: true,
  uses: true,
  folds: false,
  badge: true,
  encodings: ['utf-8', 'utf-16'],
}

# The value of one key of g:postkit, or its default.
export def Get(key: string): any
  return get(get(g:, 'postkit', {}), key, defaults[key])
enddef

# The names of all keys.
export def Names(): list<string>
  return keys(defaults)
enddef

# The command line that starts the server, as a list.
export def Command(): list<string>
  var command: any = Get('command')
  return type(command) == v:t_string ? [command, 'lsp'] : command
enddef

# The answer to workspace/configuration for one section such as `postkit` or `postkit.timeout`.
export def Setting(section: string): any
  var value: any = Get('settings')
  if section == '' || section == 'postkit'
    return value
  endif
  var key = substitute(section, '^postkit\.', '', '')
  if has_key(value, key)
    return value[key]
  endif
  for part in split(key, '\.')
    if type(value) != v:t_dict || !has_key(value, part)
      return v:null
    endif
    value = value[part]
  endfor
  return value
enddef

# Tells the person something; `group` is a highlight group.
export def Say(text: string, group = 'None')
  var shown = split(text, "\n", true)
  execute 'echohl ' .. group
  for line in shown
    echomsg 'PostKit: ' .. line
  endfor
  echohl None
enddef

# Tells the person why the server refused something, when it did.
export def Refused(error: any)
  if error != null
    Complain(error.message)
  endif
enddef

# Tells the person that something failed.
export def Complain(text: string)
  Say(text, 'WarningMsg')
enddef
