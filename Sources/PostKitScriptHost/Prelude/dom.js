// `Document`, `Element` and texts of XML and HTML bodies; nobody can change them.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { parse, written } = core.part('markup');

  const nodes = new P.WeakMap();
  const isNode = (value) => typeof value === 'object' && value !== null && P.weakHas(nodes, value);
  const inside = (node) => P.weakGet(nodes, node);

  const textOf = (raw) => raw.text !== undefined ? raw.text : P.join(P.map(raw.children, textOf), '');
  const descendants = (node, wanted, found = []) => {
    for (const child of node.childNodes) {
      if (child.nodeType !== 1) continue;
      if (wanted(child)) P.push(found, child);
      descendants(child, wanted, found);
    }
    return found;
  };
  // `tag`, `#id`, `.class` and their combinations such as `a.b#c`.
  const selector = (path, text) => {
    const checked = P.trim(V.named(path, text, 'selector'));
    if (!P.test(/^(?:\*|[\w:-]+)?(?:[.#][\w:-]+)*$/, checked)) {
      throw new P.SyntaxError(`${path}: "${text}" is no selector that PostKit knows `
        + '(tag, #id, .class)');
    }
    const tag = P.exec(/^(?:\*|[\w:-]+)?/, checked)[0];
    const rest = P.match(P.sub(checked, tag.length), /[.#][\w:-]+/g) ?? [];
    return (node) => (tag === '' || tag === '*' || P.lower(node.nodeName) === P.lower(tag))
      && P.every(rest, (part) => {
        const name = P.sub(part, 1);
        if (part[0] === '#') return node.getAttribute('id') === name;
        return P.includes(P.split(node.getAttribute('class') ?? '', /\s+/), name);
      });
  };

  class Node {
    get nodeName() { return inside(this).raw.name ?? '#text'; }
    get tagName() { return inside(this).raw.name; }
    get nodeType() {
      const { raw } = inside(this);
      return raw.text !== undefined ? 3 : raw.name === '#document' ? 9 : 1;
    }
    get nodeValue() { return inside(this).raw.text ?? null; }
    get textContent() { return textOf(inside(this).raw); }
    get parentNode() { return inside(this).parent ?? null; }
    get childNodes() {
      const own = inside(this);
      own.children ??= P.freeze(P.map(own.raw.children ?? [], (raw) => make(raw, this, own.source)));
      return own.children;
    }
    get children() { return P.filter(this.childNodes, (child) => child.nodeType === 1); }
    get firstChild() { return this.childNodes[0] ?? null; }
    get lastChild() { return this.childNodes[this.childNodes.length - 1] ?? null; }
    get firstElementChild() { return this.children[0] ?? null; }
    get nextSibling() { return sibling(this, 1); }
    get previousSibling() { return sibling(this, -1); }
    get documentElement() {
      return this.nodeType === 9 ? this.firstElementChild : undefined;
    }
    get attributes() {
      const { raw } = inside(this);
      const list = P.map(raw.attributes ?? [], ([name, value]) => P.freeze({ name, value,
        nodeName: name, nodeValue: value }));
      for (const item of list) {
        if (!P.has(list, item.name)) P.define(list, item.name, { value: item, enumerable: false });
      }
      return P.freeze(list);
    }
    get id() { return this.getAttribute('id') ?? ''; }
    getAttribute(name) {
      const wanted = V.text('getAttribute', 'name', name);
      const { raw, source } = inside(this);
      const same = source.isHTML ? P.lower(wanted) : wanted;
      return P.find(raw.attributes ?? [], ([known]) => known === same)?.[1] ?? null;
    }
    hasAttribute(name) { return this.getAttribute(name) !== null; }
    getElementsByTagName(name) {
      const wanted = V.text('getElementsByTagName', 'name', name);
      const { isHTML } = inside(this).source;
      const same = isHTML ? P.lower(wanted) : wanted;
      return descendants(this, (node) => same === '*' || node.nodeName === same);
    }
    getElementById(id) {
      const wanted = V.text('getElementById', 'id', id);
      return descendants(this, (node) => node.getAttribute('id') === wanted)[0] ?? null;
    }
    querySelector(text) { return this.querySelectorAll(text)[0] ?? null; }
    querySelectorAll(text) {
      return descendants(this, selector('querySelector', text));
    }
    toString() {
      const { raw, source } = inside(this);
      return written(raw, source.isHTML);
    }
    toJSON() { return this.toString(); }
  }
  class Document extends Node {}
  class Element extends Node {}
  class Text extends Node {}

  const sibling = (node, step) => {
    const around = inside(node).parent?.childNodes ?? [];
    const place = P.indexOf(around, node);
    return place < 0 ? null : around[place + step] ?? null;
  };
  const make = (raw, parent, source) => {
    const type = raw.text !== undefined ? Text : raw.name === '#document' ? Document : Element;
    const node = new type();
    P.weakSet(nodes, node, { raw, parent, source });
    return P.freeze(node);
  };

  // The document of a text; `null` where it is no markup.
  const document = (text, isHTML) => {
    const raw = parse(text, isHTML);
    return raw ? make(raw, undefined, { text, isHTML }) : null;
  };
  // The markup that XPath looks at: the whole text for a document, else that of the node.
  const source = (node) => node.nodeType === 9 ? inside(node).source.text : node.toString();
  const isHTML = (node) => inside(node).source.isHTML;
  return P.freeze({ document, isNode, source, isHTML, Document, Element, Node });
}
