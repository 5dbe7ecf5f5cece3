// Reads XML and HTML into a plain tree: `{name, attributes, children}` and `{text}`.
(core) => {
  'use strict';
  const P = core.part('primordials');

  const limit = 200000;
  const set = (words) => {
    const result = P.create(null);
    for (const word of P.split(words, ' ')) result[word] = true;
    return result;
  };
  const voids = set('area base br col embed hr img input link meta param source track wbr');
  const raw = set('script style textarea title');
  const isScript = (name) => name === 'script' || name === 'style';
  // What an opening tag ends without being told so.
  const endedBy = {
    li: set('li'), dt: set('dt dd'), dd: set('dt dd'), tr: set('tr td th'), td: set('td th'),
    th: set('td th'), option: set('option'), tbody: set('tr td th tbody thead'),
    p: set('p'), div: set('p'), ul: set('p'), ol: set('p'), table: set('p'), h1: set('p'),
    h2: set('p'), h3: set('p'), section: set('p'), pre: set('p'), form: set('p'),
  };
  const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' };
  const decoded = (text, isHTML) => !P.holds(text, '&') ? text
    : P.replace(text, /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([A-Za-z]+));?/g,
      (whole, hex, decimal, name) => {
        if (name !== undefined) {
          const isKnown = P.has(entities, name) && (name !== 'nbsp' || isHTML);
          return isKnown ? entities[name] : whole;
        }
        const code = hex !== undefined ? P.parseInt(hex, 16) : P.parseInt(decimal, 10);
        return code > 0 && code <= 0x10FFFF ? P.fromCodePoint(code) : whole;
      });

  const attributes = (text, isHTML) => {
    const result = [];
    const pattern = /([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g;
    let found;
    while ((found = P.exec(pattern, text)) !== null) {
      const value = found[2] ?? found[3] ?? found[4] ?? '';
      P.push(result, [isHTML ? P.lower(found[1]) : found[1], decoded(value, isHTML)]);
    }
    return result;
  };
  // The end of a tag; quotes may hold `>`.
  const tagEnd = (text, start) => {
    let quote = '';
    for (let i = start; i < text.length; i += 1) {
      const c = text[i];
      if (quote !== '') {
        if (c === quote) quote = '';
      } else if (c === '"' || c === "'") {
        quote = c;
      } else if (c === '>') {
        return i;
      }
    }
    return -1;
  };

  // The tree; `null` where the text is no markup or has more nodes than one wants to keep.
  const parse = (text, isHTML) => {
    const root = { name: '#document', attributes: [], children: [] };
    const open = [root];
    let count = 0;
    let place = 0;
    const top = () => open[open.length - 1];
    const add = (node) => {
      count += 1;
      P.push(top().children, node);
    };
    const addText = (value) => {
      if (value === '' || open.length === 1 && P.trim(value) === '') return;
      add({ text: value });
    };
    const end = (name) => {
      for (let i = open.length - 1; i > 0; i -= 1) {
        if (open[i].name === name) {
          P.splice(open, i);
          return true;
        }
      }
      return false;
    };
    while (place < text.length) {
      if (count > limit) return null;
      const start = P.find_(text, '<', place);
      if (start < 0) {
        addText(decoded(P.sub(text, place), isHTML));
        break;
      }
      addText(decoded(P.sub(text, place, start), isHTML));
      const skipTo = (mark, from) => {
        const found = P.find_(text, mark, from);
        return found < 0 ? text.length : found;
      };
      if (P.starts(text, '<!--', start)) {
        place = skipTo('-->', start + 4) + 3;
      } else if (P.starts(text, '<![CDATA[', start)) {
        const stop = skipTo(']]>', start + 9);
        addText(P.sub(text, start + 9, stop));
        place = stop + 3;
      } else if (P.starts(text, '<?', start)) {
        place = skipTo('?>', start + 2) + 2;
      } else if (P.starts(text, '<!', start)) {
        const subset = P.find_(text, '[', start);
        const close = skipTo('>', start);
        place = subset > 0 && subset < close ? skipTo(']', subset) + 1 : close + 1;
        if (subset > 0 && subset < close) place = skipTo('>', place) + 1;
      } else if (text[start + 1] === '/') {
        const stop = skipTo('>', start);
        const name = P.trim(P.sub(text, start + 2, stop));
        if (!end(isHTML ? P.lower(name) : name) && !isHTML) return null;
        place = stop + 1;
      } else if (!P.test(/[A-Za-z_:\u0080-\uFFFF]/, text[start + 1] ?? '')) {
        if (!isHTML) return null;
        addText('<');
        place = start + 1;
      } else {
        const stop = tagEnd(text, start);
        if (stop < 0) return null;
        place = element(P.sub(text, start + 1, stop), stop + 1);
      }
    }
    return root.children.length === 0 || !isHTML && open.length > 1 ? null : root;

    // Opens an element; answers where its content begins.
    function element(tag, after) {
      const isClosed = P.ends(tag, '/');
      const source = isClosed ? P.sub(tag, 0, -1) : tag;
      const written = P.exec(/^[^\s/]+/, source)[0];
      const name = isHTML ? P.lower(written) : written;
      const ends = isHTML && P.has(endedBy, name) ? endedBy[name] : undefined;
      while (ends && open.length > 1 && top().name in ends) P.pop(open);
      const node = { name, attributes: attributes(P.sub(source, written.length), isHTML),
        children: [] };
      add(node);
      if (isClosed && !isHTML || isHTML && name in voids) return after;
      if (isHTML && name in raw) {
        const close = P.find_(P.lower(text), `</${name}`, after);
        const stop = close < 0 ? text.length : close;
        const source = P.sub(text, after, stop);
        // Titles and text areas have references as other texts have.
        const inner = isScript(name) ? source : decoded(source, true);
        if (inner !== '') P.push(node.children, { text: inner });
        const done = P.find_(text, '>', stop);
        return done < 0 ? text.length : done + 1;
      }
      P.push(open, node);
      return after;
    }
  };

  const escaped = (text, isAttribute) => {
    const plain = P.replace(P.replace(P.replace(text, /&/g, '&amp;'), /</g, '&lt;'), />/g, '&gt;');
    return isAttribute ? P.replace(plain, /"/g, '&quot;') : plain;
  };
  const written = (node, isHTML) => {
    if (node.text !== undefined) return escaped(node.text, false);
    const inner = P.join(P.map(node.children, (child) =>
      isHTML && isScript(node.name) && child.text !== undefined ? child.text
        : written(child, isHTML)), '');
    if (node.name === '#document') return inner;
    const list = P.join(P.map(node.attributes, ([name, value]) =>
      ` ${name}="${escaped(value, true)}"`), '');
    if (inner === '' && !isHTML) return `<${node.name}${list}/>`;
    if (isHTML && node.name in voids) return `<${node.name}${list}>`;
    return `<${node.name}${list}>${inner}</${node.name}>`;
  };
  return P.freeze({ parse, written });
}
