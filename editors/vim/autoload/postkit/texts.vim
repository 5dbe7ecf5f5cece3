vim9script
# Writes texts into the buffers of responses and lists, long ones in slices.

# How many lines are written into a window at a time.
const slice_lines = 1000

# By buffer number: how often it was filled in slices; the newest filling goes on.
var filling: dict<number> = {}

# Makes a buffer one of ours: it belongs to no file and goes with its window.
export def Prepare(buffer: number)
  setbufvar(buffer, '&buftype', 'nofile')
  setbufvar(buffer, '&bufhidden', 'wipe')
  setbufvar(buffer, '&swapfile', 0)
  setbufvar(buffer, '&buflisted', 0)
  # What a server answers sets no options.
  setbufvar(buffer, '&modeline', 0)
enddef

# Writes lines into a buffer, in place of what it has.
export def Pour(buffer: number, lines: list<string>)
  var count = min([len(lines), slice_lines])
  Alter(buffer, () => {
    setbufline(buffer, 1, lines[: count - 1])
    if getbufinfo(buffer)[0].linecount > count
      silent deletebufline(buffer, count + 1, '$')
    endif
  })
  filling[buffer] = len(lines) > count ? get(filling, buffer, 0) + 1 : 0
  if len(lines) > count
    Add(buffer, filling[buffer], lines, count)
  endif
enddef

# Adds the lines from one on in slices, between which Vim takes keys.
def Add(buffer: number, turn: number, lines: list<string>, from: number)
  timer_start(1, (_) => {
    if bufloaded(buffer) && filling[buffer] == turn
      Alter(buffer, () => appendbufline(buffer, from, lines[from : from + slice_lines - 1]))
      if from + slice_lines < len(lines)
        Add(buffer, turn, lines, from + slice_lines)
      endif
    endif
  })
enddef

# Lets `Work` change a buffer that nobody edits.
export def Change(buffer: number, Work: func)
  Alter(buffer, Work)
enddef

def Alter(buffer: number, Work: func)
  setbufvar(buffer, '&modifiable', 1)
  Work()
  setbufvar(buffer, '&modified', 0)
  setbufvar(buffer, '&modifiable', 0)
enddef
