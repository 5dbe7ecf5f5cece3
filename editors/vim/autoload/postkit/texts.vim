vim9script
# Writes texts into the buffers of responses and lists, long ones in slices.

# How many lines are written into a window at a time.
const slice_lines = 1000

# By buffer number: how often it was filled in slices; the newest filling goes on.
var filling: dict<number> = {}
# By buffer number: the lines of a filling that goes on, which grow as the text does.
var waiting: dict<list<string>> = {}

# Makes a buffer one of ours: it belongs to no file and goes with its window.
export def Prepare(buffer: number)
  setbufvar(buffer, '&buftype', 'nofile')
  setbufvar(buffer, '&bufhidden', 'wipe')
  setbufvar(buffer, '&swapfile', 0)
  setbufvar(buffer, '&buflisted', 0)
  # What a server answers sets no options.
  setbufvar(buffer, '&modeline', 0)
enddef

# Writes lines into a buffer, in place of what it has. With `keeps` it stays untouched where it says
# the same already, so that the results behind its lines stay, too.
export def Pour(buffer: number, lines: list<string>, keeps = false)
  if keeps && !has_key(waiting, buffer) && getbufline(buffer, 1, '$') ==# lines
    return
  endif
  var count = min([len(lines), slice_lines])
  Alter(buffer, () => {
    setbufline(buffer, 1, lines[: count - 1])
    if getbufinfo(buffer)[0].linecount > count
      silent deletebufline(buffer, count + 1, '$')
    endif
  })
  filling[buffer] = len(lines) > count ? get(filling, buffer, 0) + 1 : 0
  if len(lines) > count
    waiting[buffer] = copy(lines)
    Add(buffer, filling[buffer], count)
  elseif has_key(waiting, buffer)
    remove(waiting, buffer)
  endif
enddef

# Adds the lines from one on in slices, between which Vim takes keys.
def Add(buffer: number, turn: number, from: number)
  timer_start(1, (_) => {
    if get(filling, buffer, 0) != turn || !has_key(waiting, buffer)
      return
    elseif !bufloaded(buffer)
      remove(waiting, buffer)
      return
    endif
    var lines = waiting[buffer]
    Alter(buffer, () => appendbufline(buffer, from, lines[from : from + slice_lines - 1]))
    if from + slice_lines < len(lines)
      Add(buffer, turn, from + slice_lines)
    else
      remove(waiting, buffer)
    endif
  })
enddef

# Adds lines at the end of a text, the first of them in place of its last line.
export def Extend(buffer: number, lines: list<string>)
  if has_key(waiting, buffer)
    # The end is not written yet.
    waiting[buffer][-1] = lines[0]
    extend(waiting[buffer], lines[1 :])
    return
  endif
  var count = getbufinfo(buffer)[0].linecount
  Alter(buffer, () => {
    setbufline(buffer, count, lines[0])
    appendbufline(buffer, count, lines[1 :])
  })
enddef

# Lets `Work` change a buffer that nobody edits.
def Alter(buffer: number, Work: func)
  setbufvar(buffer, '&modifiable', 1)
  Work()
  setbufvar(buffer, '&modified', 0)
  setbufvar(buffer, '&modifiable', 0)
enddef
