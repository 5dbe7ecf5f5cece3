vim9script
# Says what became of a send in a few words.

# The state that decides the colour of a reply: an answer of 400 and above is a failure.
export def State(reply: dict<any>): string
  return reply.state == 'done' && (get(reply, 'status', 0) >= 400 || FailedTests(reply) > 0)
    ? 'failed' : reply.state
enddef

def FailedTests(reply: dict<any>): number
  var tests = get(reply, 'tests', {})
  return type(tests) == v:t_dict ? get(tests, 'failed', 0) : 0
enddef

# A reply in a few words.
export def Describe(reply: dict<any>): string
  if reply.state == 'cancelled'
    return 'cancelled after ' .. Duration(reply.ms)
  elseif reply.state == 'failed'
    return 'failed: ' .. Reason(reply)
  endif
  var words = printf('%s  %s  %s', trim(reply.status .. ' ' .. get(reply, 'reason', '')),
    Duration(reply.ms), Size(reply.size))
  var tests = Tests(reply)
  return tests == '' ? words : words .. '  ' .. tests
enddef

# How the checks of a reply went, with a mark; empty without checks.
def Tests(reply: dict<any>): string
  var failed = FailedTests(reply)
  var tests: any = get(reply, 'tests', {})
  var all = failed + (type(tests) == v:t_dict ? get(tests, 'passed', 0) : 0)
  return all == 0 ? '' : (failed == 0 ? '✓ ' : '✗ ') .. Counted(failed, all)
enddef

# What checks came to, in the server's words.
export def Counted(failed: number, all: number): string
  return failed > 0 ? printf('%d of %d tests failed', failed, all)
    : printf('%d test%s passed', all, all == 1 ? '' : 's')
enddef

# Why there is no response, as a sentence.
export def Reason(reply: dict<any>): string
  return type(reply.error) == v:t_dict ? get(reply.error, 'message', 'unknown') : 'unknown'
enddef

# A refusal as somebody who typed a command needs it: without where in the message of the protocol
# the mistake is, and with what overwrites here.
export def InVim(message: string): string
  return message->substitute('^\%(params\.\|arguments\[\)\S\+: ', '', '')
    ->substitute('set `overwrite`', 'put a ! behind `:PostKit`', '')
    ->substitute('\<Overwrite it to bring', '`:PostKit!` brings', '')
enddef

# A duration for a person.
export def Duration(milliseconds: any): string
  return milliseconds < 10000 ? printf('%d ms', float2nr(milliseconds * 1.0))
    : printf('%.1f s', milliseconds / 1000.0)
enddef

# A number of bytes for a person.
export def Size(bytes: any): string
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
