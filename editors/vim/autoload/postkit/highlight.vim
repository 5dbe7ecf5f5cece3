vim9script
# Names the colours of everything PostKit draws and the text property types that carry them.

const links = {
  PostKitSending: 'Comment',
  PostKitDone: 'MoreMsg',
  PostKitFailed: 'WarningMsg',
  PostKitHint: 'Comment',
  PostKitPassed: 'MoreMsg',
  PostKitMissed: 'WarningMsg',
  PostKitParameter: 'Underlined',
  PostKitPrompt: 'WildMenu',
  PostKitTab: 'TabLine',
  PostKitTabShown: 'TabLineSel',
  PostKitBad: 'ErrorMsg',
  PostKitBar: 'Identifier',
  PostKitEnvironment: 'StatusLine',
  PostKitGuarded: 'ErrorMsg',
  PostKitUse: 'MatchParen',
  PostKitDefinition: 'IncSearch',
  PostKitError: 'SpellBad',
  PostKitWarning: 'SpellCap',
  PostKitInformation: 'SpellLocal',
  PostKitErrorSign: 'WarningMsg',
  PostKitWarningSign: 'Todo',
  PostKitInformationSign: 'Comment',
}

# Defines what is missing; called once, when the first of it is drawn.
def Define()
  for [group, target] in items(links)
    execute printf('highlight default link %s %s', group, target)
    if group !~ 'Sign$' && empty(prop_type_get(group))
      prop_type_add(group, {highlight: group, priority: 20, combine: true})
    endif
  endfor
  sign_define([
    {name: 'PostKitError', text: 'E>', texthl: 'PostKitErrorSign'},
    {name: 'PostKitWarning', text: 'W>', texthl: 'PostKitWarningSign'},
    {name: 'PostKitInformation', text: 'I>', texthl: 'PostKitInformationSign'},
  ])
enddef

Define()

# Answers after the definitions above exist: an autoload import loads a script at its first call.
export def Ready()
enddef
