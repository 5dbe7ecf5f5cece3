vim9script
# Reads the user's choices from g:postkit; every key has a default, so that none is required.

const defaults = {
  command: ['postkit', 'lsp'],
  settings: {},
  options: {},
  open: 'auto',
  split: '',
  view: 'auto',
  send_key: '<CR>',
  autocomplete: 'auto',
  hints: true,
  signature: true,
  uses: true,
  folds: false,
  badge: true,
  encodings: ['utf-8', 'utf-16'],
}

# The code of a request whose answer died with the server.
export const lost_code = -32099

# The last message that did not fit on a line.
var popup = 0

# The value of one key of g:postkit, or its default.
export def Get(key: string): any
  return Choice(key)
enddef

def Choice(key: string): any
  return get(get(g:, 'postkit', {}), key, defaults[key])
enddef

# The names of all keys.
export def Names(): list<string>
  return keys(defaults)
enddef

# The command line that starts the server, as a list.
export def Command(): list<string>
  var command: any = Choice('command')
  return type(command) == v:t_string ? [command, 'lsp'] : command
enddef

# The answer to workspace/configuration for one section such as `postkit` or `postkit.timeout`.
export def Setting(section: string): any
  var value: any = Choice('settings')
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
  Tell(text, group)
enddef

def Tell(text: string, group = 'None')
  var lines = split(text, "\n", true)
  if !empty(popup_getpos(popup))
    # What is drawn in its place would wipe the next message away.
    popup_close(popup)
    redraw
  endif
  # On one line Vim would cut the middle out of a longer one, or wait for a key.
  var isLong = len(lines) > 1 || strdisplaywidth('PostKit: ' .. text) > v:echospace
  execute 'echohl ' .. group
  for line in lines
    echomsg 'PostKit: ' .. line
  endfor
  echohl None
  if isLong
    # It is among the messages now, and no key is waited for after what is drawn over.
    redraw
    popup = Notice(lines, group)
  endif
enddef

# Shows a long message whole, away from the cursor, until the cursor moves, another one comes or it
# was there long enough to be read; |:messages| keeps it.
def Notice(lines: list<string>, group: string): number
  var isLow = win_screenpos(0)[0] + winline() > &lines * 2 / 3
  var id = popup_create(lines, {
    line: isLow ? 1 : &lines - &cmdheight, col: 1, pos: isLow ? 'topleft' : 'botleft',
    minwidth: max([10, &columns - 4]), maxwidth: max([10, &columns - 4]),
    maxheight: max([3, &lines / 3]), wrap: true, padding: [0, 1, 0, 1], border: [],
    borderchars: &encoding == 'utf-8' ? ['─', '│', '─', '│', '┌', '┐', '┘', '└'] : [],
    title: ' PostKit ', highlight: group == 'None' ? 'Pmenu' : group, borderhighlight: ['Pmenu'],
    zindex: 20, moved: 'any', close: 'click', time: 4000 + 60 * strcharlen(join(lines)),
  })
  win_execute(id, 'setlocal linebreak')
  return id
enddef

# Tells the person why the server refused something, when it did. That it ended is told once, by
# who notices it.
export def Refused(error: any)
  if error != null && error.code != lost_code
    Warn(error.message)
  endif
enddef

# Tells the person that something failed.
export def Complain(text: string)
  Warn(text)
enddef

def Warn(text: string)
  Tell(text, 'WarningMsg')
enddef
