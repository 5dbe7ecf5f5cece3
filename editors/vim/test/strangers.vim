vim9script
# Defines functions of the user's that have the names of ours, before anything of ours is loaded.

const scripts = expand('<sfile>:p:h:h') .. '/autoload/postkit/*.vim'

# The names of the functions that ran in place of ours.
g:strangers_called = []

# Every name of a function that the plugin's sources define or call, so that none is forgotten.
export def Names(): list<string>
  var found: dict<bool> = {}
  for path in glob(scripts, true, true)
    for line in readfile(path)->filter((_, each) => each !~# '^\s*#')
      substitute(line, '[.#A-Za-z0-9_]\@1<!\u\w*\ze(', (name) => {
        found[name[0]] = true
        return ''
      }, 'g')
    endfor
  endfor
  return sort(keys(found))
enddef

# Makes each of them a global function that does nothing but note its call.
export def Define()
  for name in Names()
    execute printf("function! g:%s(...)\ncall add(g:strangers_called, '%s')\nreturn 0\nendfunction",
      name, name)
  endfor
enddef
