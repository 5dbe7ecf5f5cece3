// Reads scripts as tokens, to rewrite `import`, `export` and `request.method()` line for line.
(core) => {
  'use strict';
  const P = core.part('primordials');

  const isWordPart = (c) => c !== undefined && P.test(/[\w$\u0080-\uFFFF]/, c);
  // Behind these words a slash begins a regular expression.
  const operators = P.split('return typeof case in of delete void throw new do else instanceof '
    + 'await yield', ' ');

  // The tokens of a text: `{kind, start, end, depth}`; comments and blanks are left out. Texts of
  // templates are one token each, as nothing inside is rewritten.
  const tokens = (text) => {
    const result = [];
    let depth = 0;
    let i = 0;
    const add = (kind, end) => {
      P.push(result, { kind, start: i, end, depth, text: P.sub(text, i, end) });
      i = end;
    };
    const last = () => result[result.length - 1];
    const takesOperand = () => {
      const token = last();
      if (!token) return true;
      if (token.kind === 'word') return P.includes(operators, token.text);
      return token.kind === 'mark' && !P.includes([')', ']', '}'], token.text);
    };
    while (i < text.length) {
      const c = text[i];
      if (P.test(/\s/, c)) {
        i += 1;
      } else if (c === '/' && text[i + 1] === '/') {
        while (i < text.length && text[i] !== '\n') i += 1;
      } else if (c === '/' && text[i + 1] === '*') {
        const end = P.find_(text, '*/', i + 2);
        i = end < 0 ? text.length : end + 2;
      } else if (c === '"' || c === "'") {
        add('string', stringEnd(text, i));
      } else if (c === '`') {
        add('template', templateEnd(text, i));
      } else if (c === '/' && takesOperand()) {
        add('regex', regexEnd(text, i));
      } else if (isWordPart(c)) {
        let end = i;
        while (isWordPart(text[end])) end += 1;
        add('word', end);
      } else {
        if (c === '}' || c === ')' || c === ']') depth -= 1;
        add('mark', i + 1);
        if (c === '{' || c === '(' || c === '[') depth += 1;
      }
    }
    return result;
  };
  const stringEnd = (text, start) => {
    let i = start + 1;
    while (i < text.length && text[i] !== text[start] && text[i] !== '\n') {
      i += text[i] === '\\' ? 2 : 1;
    }
    return P.Math.min(i + 1, text.length);
  };
  const templateEnd = (text, start) => {
    let i = start + 1;
    while (i < text.length && text[i] !== '`') {
      if (text[i] === '\\') i += 2;
      else if (text[i] === '$' && text[i + 1] === '{') i = holeEnd(text, i + 2);
      else i += 1;
    }
    return P.Math.min(i + 1, text.length);
  };
  const holeEnd = (text, start) => {
    let depth = 1;
    let i = start;
    while (i < text.length && depth > 0) {
      const c = text[i];
      if (c === '"' || c === "'") i = stringEnd(text, i);
      else if (c === '`') i = templateEnd(text, i);
      else {
        if (c === '{') depth += 1;
        if (c === '}') depth -= 1;
        i += 1;
      }
    }
    return i;
  };
  const regexEnd = (text, start) => {
    let i = start + 1;
    let isClass = false;
    while (i < text.length && text[i] !== '\n' && (isClass || text[i] !== '/')) {
      if (text[i] === '[') isClass = true;
      if (text[i] === ']') isClass = false;
      i += text[i] === '\\' ? 2 : 1;
    }
    i += 1;
    while (isWordPart(text[i])) i += 1;
    return P.Math.min(i, text.length);
  };

  // The names that a declaration behind `const`, `let`, `var` makes, patterns included.
  const declared = (list, start, depth) => {
    const names = [];
    let isName = true;
    let nested = 0;
    for (let i = start; i < list.length; i += 1) {
      const { text, kind } = list[i];
      const before = list[i - 1].text;
      if (nested === 0 && list[i].depth < depth) break;
      if (text === '{' || text === '[') {
        if (isName) nested += 1;
      } else if (text === '}' || text === ']') {
        if (nested > 0) nested -= 1;
      }
      if (nested > 0 && isName && kind === 'word') {
        if (list[i + 1]?.text !== ':' && before !== '=') P.push(names, text);
      } else if (nested === 0 && isName && kind === 'word') {
        P.push(names, text);
        isName = false;
      }
      if (nested === 0 && text === '=' && list[i].depth === depth) isName = false;
      if (nested === 0 && list[i].depth === depth) {
        if (text === ',') isName = true;
        else if (text === ';') break;
        else if (!isName && kind === 'word' && startsStatement(text)) break;
      }
    }
    return names;
  };
  const startsStatement = (word) => P.includes(['const', 'let', 'var', 'function', 'class', 'if',
    'for', 'while', 'return', 'import', 'export', 'try', 'switch', 'throw'], word);

  // The names at the top of a text: declarations of all kinds, but no imports.
  const topNames = (text) => {
    const list = tokens(text);
    const names = [];
    P.forEach(list, (token, i) => {
      if (token.depth !== 0 || token.kind !== 'word' || list[i - 1]?.text === '.') return;
      if (P.includes(['const', 'let', 'var'], token.text)) {
        names.push(...declared(list, i + 1, 0));
      } else if (P.includes(['function', 'class'], token.text)) {
        const next = list[i + 1]?.text === '*' ? list[i + 2] : list[i + 1];
        const isStatement = i === 0 || P.includes([';', '}', 'async', 'export', 'default'],
          list[i - 1].text) || P.holds(P.sub(text, list[i - 1].end, token.start), '\n');
        if (isStatement && next?.kind === 'word') P.push(names, next.text);
      }
    });
    return names;
  };

  // Rewrites a text. In a module (`isModule`) imports are made at once, in a script they may wait.
  const rewrite = (text, { isModule = false, waits = !isModule, keepsNames = false } = {}) => {
    const list = tokens(text);
    const edits = [];
    const tail = [];
    // A module that need not wait can be asked for by `require`.
    const call = waits ? 'await require.$$import' : 'require.$$now';
    const load = (source, names) =>
      `${call}(${source}${names ? `,${P.json(names)}` : ''})`;
    // Line feeds stay, so that all that follows keeps its line.
    const replace = (from, to, code) => {
      const lines = P.match(P.sub(text, from, to), /\n/g)?.length ?? 0;
      P.push(edits, { from, to, code: code + P.repeat('\n', lines) });
    };
    const specifiers = (i) => {
      const pairs = [];
      let at = i + 1;
      while (list[at] && list[at].text !== '}') {
        if (list[at].text === ',') {
          at += 1;
          continue;
        }
        const name = list[at].text;
        const hasAlias = list[at + 1]?.text === 'as';
        P.push(pairs, [name, hasAlias ? list[at + 2]?.text : name]);
        at += hasAlias ? 3 : 1;
      }
      return { pairs, end: at };
    };
    const pattern = (pairs) => P.join(P.map(pairs, ([name, alias]) =>
      name === alias ? name : `${name}:${alias}`), ',');
    // The end of a statement that ends in a string, with what `with {…}` and a semicolon add.
    const statementEnd = (i) => {
      let at = i;
      if (P.includes(['with', 'assert'], list[at + 1]?.text) && list[at + 2]?.text === '{') {
        at += 2;
        while (list[at] && list[at].text !== '}') at += 1;
      }
      return list[at + 1]?.text === ';' ? at + 1 : at;
    };

    const importAt = (i) => {
      const start = list[i].start;
      if (list[i + 1]?.text === '.') {
        throw new P.SyntaxError('`import.meta` is not possible in scripts; use __filename');
      }
      if (list[i + 1]?.text === '(') {
        replace(start, list[i].end, 'require.$$load');
        return i + 1;
      }
      if (list[i + 1]?.kind === 'string') {
        const end = statementEnd(i + 1);
        replace(start, list[end].end, `${load(list[i + 1].text)};`);
        return end;
      }
      const parts = [];
      let at = i + 1;
      while (list[at] && list[at].text !== 'from') {
        if (list[at].text === '{') {
          const { pairs, end } = specifiers(at);
          const names = P.map(pairs, ([name]) => name);
          P.push(parts, (source) => `const {${pattern(pairs)}}=${load(source, names)};`);
          at = end + 1;
          for (const [, alias] of pairs) P.push(imported, alias);
        } else if (list[at].text === '*') {
          const name = list[at + 2]?.text;
          P.push(parts, (source) => `const ${name}=${load(source)};`);
          P.push(imported, name);
          at += 3;
        } else if (list[at].text === ',') {
          at += 1;
        } else {
          const name = list[at].text;
          P.push(parts, (source) => `const ${name}=(${load(source, ['default'])}).default;`);
          P.push(imported, name);
          at += 1;
        }
      }
      const source = list[at + 1];
      if (source?.kind !== 'string') return i;
      const end = statementEnd(at + 1);
      replace(start, list[end].end, P.join(P.map(parts, (make) => make(source.text)), ''));
      return end;
    };
    const imported = [];

    const exportAt = (i) => {
      const token = list[i];
      const next = list[i + 1];
      if (!next) return i;
      if (next.text === '{') {
        const { pairs, end } = specifiers(i + 1);
        const hasSource = list[end + 1]?.text === 'from';
        const stop = statementEnd(hasSource ? end + 2 : end);
        const from = hasSource ? load(list[end + 2].text) : '';
        const code = P.join(P.map(pairs, ([name, alias]) => hasSource
          ? `exports.${alias}=(${from}).${name};` : ''), '');
        replace(token.start, list[stop].end, code);
        if (!hasSource) {
          for (const [name, alias] of pairs) P.push(tail, `exports.${alias}=${name};`);
        }
        return stop;
      }
      if (next.text === '*') {
        const isNamed = list[i + 2]?.text === 'as';
        const source = list[isNamed ? i + 5 : i + 3];
        const stop = statementEnd(isNamed ? i + 5 : i + 3);
        const from = load(source?.text ?? "''");
        replace(token.start, list[stop].end, isNamed
          ? `exports.${list[i + 3].text}=${from};` : `require.$$all(exports,${from});`);
        return stop;
      }
      if (next.text === 'default') {
        const what = list[i + 2]?.text === 'async' ? i + 3 : i + 2;
        const isDeclared = P.includes(['function', 'class'], list[what]?.text);
        const named = list[what + 1]?.text === '*' ? list[what + 2] : list[what + 1];
        if (isDeclared && named?.kind === 'word' && named.text !== 'extends') {
          replace(token.start, next.end, '');
          P.push(tail, `exports.default=${named.text};`);
        } else {
          replace(token.start, next.end, 'exports.default=');
        }
        return i + 1;
      }
      const isDeclaration = P.includes(['const', 'let', 'var'], next.text);
      const word = next.text === 'async' ? list[i + 2] : next;
      if (!isDeclaration && !P.includes(['function', 'class'], word.text)) return i;
      replace(token.start, token.end, '');
      const place = P.indexOf(list, word);
      const name = list[place + 1]?.text === '*' ? list[place + 2] : list[place + 1];
      const names = isDeclaration ? declared(list, i + 2, token.depth) : [name?.text];
      for (const item of names) P.push(tail, `exports.${item}=${item};`);
      return i + 1;
    };

    for (let i = 0; i < list.length; i += 1) {
      const { kind, text: word, depth } = list[i];
      if (kind !== 'word' || list[i - 1]?.text === '.') continue;
      const isMember = list[i + 1]?.text === ':';
      if (word === 'import' && !isMember) i = importAt(i);
      else if (word === 'export' && isModule && depth === 0 && !isMember) i = exportAt(i);
      else if (word === 'request' && list[i + 1]?.text === '.' && list[i + 2]?.text === 'method'
        && list[i + 3]?.text === '(' && list[i + 4]?.text === ')') {
        // [SC-8] The method is a text; who calls it gets it, too.
        replace(list[i + 3].start, list[i + 4].end, '  ');
        i += 4;
      }
    }
    if (keepsNames) {
      for (const name of P.concat(topNames(text), imported)) P.push(tail, `exports.${name}=${name};`);
    }
    let result = '';
    let place = 0;
    for (const edit of edits) {
      result += P.sub(text, place, edit.from) + edit.code;
      place = edit.to;
    }
    const ending = tail.length > 0 ? `\n;${P.join(tail, '')}` : '';
    return { text: result + P.sub(text, place) + ending, isModule: tail.length > 0 };
  };

  return P.freeze({ tokens, rewrite, topNames });
}
