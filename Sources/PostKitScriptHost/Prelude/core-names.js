// Which texts may meet a variable by its bare name.
(function (internals) {
  'use strict';
  const { vars, live, bareStores, isWordUnit } = internals;

  // Words of a text that may read by its bare name what the text does not hold, or set what others
  // read so: what it exports is asked for by scripts that come later.
  const farWords = [
    'eval', 'exports', 'module', 'require', '__filename', '__dirname', '$httpyac', 'execute',
    'import', 'runRequest', '\\u',
  ];
  const mostNames = 64;
  // Whether a name stands in a text as a variable may: not as a part of a word, nor as a member, nor
  // as all of a quoted text.
  function stands(text, name) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const before = text.charCodeAt(at - 1), after = text.charCodeAt(at + name.length);
      if (isWordUnit(before) || isWordUnit(after)) continue;
      if (before === 46 && text.charCodeAt(at - 2) !== 46) continue;
      if ((before === 34 || before === 39) && after === before) continue;
      return true;
    }
    return false;
  }
  // Whether a text can meet a variable by its bare name; it can where that isn't sure.
  function readsNames(job, text) {
    // No script has run since the built-in objects were looked at.
    for (let i = 0; i < farWords.length; i++) if (text.includes(farWords[i])) return true;
    if (job.fresh !== undefined) return true;
    const { stores } = job.message;
    if (stores !== undefined) {
      if (stores.responses !== undefined) return true;
      for (let i = 0; i < bareStores.length; i++) {
        if (stores[bareStores[i]] !== undefined) return true;
      }
    }
    if (vars.size + live.size > mostNames) return true;
    for (const name of vars.keys()) if (stands(text, name)) return true;
    for (const name of live.keys()) if (stands(text, name)) return true;
    return false;
  }

  return readsNames;
})
