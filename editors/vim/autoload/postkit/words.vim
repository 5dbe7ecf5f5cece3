vim9script
# Says what the server says of a send, and how long one takes that goes on.

# Why there is no answer that could be drawn: the server died while it sent.
export const lost = 'unknown: the server ended while this was under way; it may have been received'

# What a reply came to, in the server's words.
export def Summary(reply: dict<any>): string
  return get(reply, 'summary', reply.state)
enddef

# How it is drawn, which only a server of before does not say.
export def Mood(reply: dict<any>): string
  return get(reply, 'mood', reply.state)
enddef

# A refusal as somebody who typed a command needs it: without where in the message of the protocol
# the mistake is, and with what overwrites here.
export def InVim(message: string): string
  return message->substitute('^\%(params\.\|arguments\[\)\S\+: ', '', '')
    ->substitute('\<\%(is there already\|already exists\)\. .*`overwrite`.*',
      'already exists. Use `:PostKit! write` to overwrite it.', '')
    ->substitute('set `overwrite`', 'put a `!` behind `:PostKit`', '')
    ->substitute('\<Overwrite it to bring', '`:PostKit!` brings', '')
enddef

# How long a send has taken so far.
export def Clock(elapsed: float): string
  var seconds = float2nr(elapsed)
  return elapsed < 60 ? printf('%d.%d s', seconds, float2nr(elapsed * 10) % 10)
    : seconds < 3600 ? printf('%d min %d s', seconds / 60, seconds % 60)
    : printf('%d h %d min', seconds / 3600, seconds % 3600 / 60)
enddef

# A duration of the server's in milliseconds.
export def Milliseconds(text: string): float
  var minutes = matchlist(text, '^\(\d\+\) min \(\d\+\) s$')
  if !empty(minutes)
    return 60000.0 * str2nr(minutes[1]) + 1000.0 * str2nr(minutes[2])
  endif
  return str2float(text) * (text =~# ' s$' ? 1000.0 : 1.0)
enddef

# The lines of a text, of which each but the last has a line end. It may be long.
export def Lines(text: string): list<string>
  var size = strlen(text)
  var whole = strpart(text, size - 1) == "\n" ? strpart(text, 0, size - 1) : text
  var lines = split(whole, "\n", true)
  if stridx(text, "\r") >= 0
    map(lines, (_, line) => strpart(line, strlen(line) - 1) == "\r"
      ? strpart(line, 0, strlen(line) - 1) : line)
  endif
  return lines
enddef
