vim9script
# Says what became of a send in a few words.

# Why there is no answer that could be drawn: the server died while it sent.
export const lost = 'unknown: the server ended while this was under way; it may have been received'

# The state that decides the colour of a reply: an answer of 400 and above is a failure.
export def State(reply: dict<any>): string
  return StateOf(reply)
enddef

def StateOf(reply: dict<any>): string
  return Declined(reply) ? 'cancelled' : reply.state == 'done'
    && (get(reply, 'status', 0) >= 400 || FailedTests(reply) > 0) ? 'failed' : reply.state
enddef

# Whether nothing was sent because a person said no.
def Declined(reply: dict<any>): bool
  var error: any = get(reply, 'error', null)
  return type(error) == v:t_dict && !!get(error, 'declined', false)
enddef

def FailedTests(reply: dict<any>): number
  var tests = get(reply, 'tests', {})
  return type(tests) == v:t_dict ? get(tests, 'failed', 0) : 0
enddef

# A reply in a few words.
export def Describe(reply: dict<any>): string
  if Declined(reply)
    return 'not sent'
  elseif reply.state == 'cancelled'
    return 'cancelled after ' .. Time(reply.ms)
  elseif reply.state == 'failed'
    return 'failed: ' .. Brief(Cause(reply))
  endif
  var words = printf('%s  %s  %s', trim(reply.status .. ' ' .. get(reply, 'reason', '')),
    Time(reply.ms), Bytes(reply.size))
  var tests = Tests(reply)
  return tests == '' ? words : words .. '  ' .. tests
enddef

# What became of several requests.
export def Summary(replies: list<dict<any>>): string
  var counts: dict<number> = {}
  for reply in replies
    var state = StateOf(reply)
    var word = state == 'failed' && reply.state == 'done' && reply.status >= 400
      ? printf('answered %dxx', reply.status / 100)
      : state == 'done' ? 'ok' : Declined(reply) ? 'not sent'
      : reply.state == 'done' ? 'with failed tests' : state
    counts[word] = get(counts, word, 0) + 1
  endfor
  return keys(counts)->sort((one, other) => one == 'ok' ? -1 : other == 'ok' ? 1 : one > other ? 1 : -1)
    ->mapnew((_, word) => counts[word] .. ' ' .. word)->join(', ') ?? 'No requests were sent.'
enddef

# How the checks of a reply went, with a mark; empty without checks.
def Tests(reply: dict<any>): string
  var failed = FailedTests(reply)
  var tests: any = get(reply, 'tests', {})
  var all = failed + (type(tests) == v:t_dict ? get(tests, 'passed', 0) : 0)
  return all == 0 ? '' : (failed == 0 ? '✓ ' : '✗ ') .. Verdict(failed, all)
enddef

# What checks came to, in the server's words.
export def Counted(failed: number, all: number): string
  return Verdict(failed, all)
enddef

def Verdict(failed: number, all: number): string
  return failed > 0 ? printf('%d of %d tests failed', failed, all)
    : printf('%d test%s passed', all, all == 1 ? '' : 's')
enddef

# Why there is no response, as a sentence.
export def Reason(reply: dict<any>): string
  return Cause(reply)
enddef

def Cause(reply: dict<any>): string
  return type(reply.error) == v:t_dict ? get(reply.error, 'message', 'unknown') : 'unknown'
enddef

# A sentence without what explains it, for where there is little room; the message has it whole.
export def Short(sentence: string): string
  return Brief(sentence)
enddef

def Brief(sentence: string): string
  return sentence->substitute('\n\_.*', '', '')
    ->substitute('\%(\. \|: \|; \| (\).*', '', '')->substitute('\.$', '', '')
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

# A duration for a person.
export def Duration(milliseconds: any): string
  return Time(milliseconds)
enddef

# As the server writes durations, from one second on with a tenth of one.
def Time(milliseconds: any): string
  var whole = float2nr(milliseconds * 1.0)
  var tenths = (whole + 50) / 100
  var seconds = (whole + 500) / 1000
  return whole < 1000 ? whole .. ' ms'
    : tenths < 600 ? printf('%d.%d s', tenths / 10, tenths % 10)
    : printf('%d min %d s', seconds / 60, seconds % 60)
enddef

# A duration of the server's in milliseconds.
export def Milliseconds(text: string): float
  var minutes = matchlist(text, '^\(\d\+\) min \(\d\+\) s$')
  if !empty(minutes)
    return 60000.0 * str2nr(minutes[1]) + 1000.0 * str2nr(minutes[2])
  endif
  return str2float(text) * (text =~# ' s$' ? 1000.0 : 1.0)
enddef

# A number of bytes for a person.
export def Size(bytes: any): string
  return Bytes(bytes)
enddef

def Bytes(bytes: any): string
  if bytes < 1000
    return printf('%d B', float2nr(bytes * 1.0))
  endif
  return bytes < 1000000 ? printf('%.1f kB', bytes / 1000.0) : printf('%.1f MB', bytes / 1000000.0)
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
