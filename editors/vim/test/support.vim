vim9script
# Waits, compares and reports for the scenarios.

var results: list<string> = []
var detail = ''

# How long anything is waited for that has to come, in milliseconds: only a test that fails takes so
# long, on however slow a machine.
export const patience = 60000

# Waits until something is so; throws when it does not come about in time.
export def Wait(What: func, sentence: string, milliseconds = patience)
  var start = reltime()
  while !What()
    if reltimefloat(reltime(start)) * 1000 > milliseconds
      throw 'waited in vain for ' .. sentence
    endif
    sleep 2m
    # Vim tells of changes before it draws, and a silent one draws nothing.
    redraw
    listener_flush()
  endwhile
enddef

# Adds a figure to what is reported of the scenario that runs.
export def Detail(text: string)
  detail = ', ' .. text
enddef

# Throws unless two values are equal.
export def Same(actual: any, expected: any, what: string)
  if type(actual) != type(expected) || actual != expected
    throw printf('%s is %s, not %s', what, string(actual), string(expected))
  endif
enddef

# Throws unless something is true.
export def True(condition: bool, sentence: string)
  if !condition
    throw 'not so: ' .. sentence
  endif
enddef

# Runs one scenario and notes how it went; an error that Vim reports fails it too.
export def Run(row: string, name: string, Body: func)
  var asked = split($POSTKIT_ROWS)
  if !empty(asked) && index(asked, row) < 0
    return
  endif
  v:errmsg = ''
  detail = ''
  var start = reltime()
  try
    Body()
    var error = v:errmsg
    var seconds = reltimestr(reltime(start))
    add(results, error == '' ? printf('ok %s %s in%s s%s', row, name, seconds, detail)
      : printf('not ok %s %s: %s', row, name, error))
  catch
    add(results, printf('not ok %s %s: %s at %s', row, name, v:exception, v:throwpoint))
  endtry
  popup_clear()
  writefile(results, $POSTKIT_RESULTS)
enddef

# Notes what was found outside of this Vim.
export def Note(line: string)
  add(results, line)
enddef

# The text that messages added since `before`.
export def Messages(before: string): string
  return strpart(execute('messages'), strlen(before))
enddef
