'use strict';
// What a person sees of a page, as expressions that run in it: contrast by WCAG 2.2 (1.4.3 and
// 1.4.11), and where the focus is.

/** Runs in the page: every visible text with the contrast to what is behind it. */
function contrasts() {
  const numbers = color => color.match(/[\d.]+/g).map(Number);
  const luminance = rgb => {
    const [r, g, b] = rgb.map(value => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const behind = element => {
    for (let each = element; each; each = each.parentElement) {
      const [r, g, b, alpha = 1] = numbers(getComputedStyle(each).backgroundColor);
      if (alpha === 1) return [r, g, b];
      if (alpha > 0) throw new Error('a translucent background');
    }
    throw new Error('nothing is behind it');
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || ['SCRIPT', 'STYLE'].includes(element.tagName)) continue;
    if (!element.checkVisibility()) continue;
    const color = numbers(getComputedStyle(element).color).slice(0, 3);
    found.push({ text: node.data.trim().slice(0, 40), ratio: ratio(color, behind(element)) });
  }
  for (const field of document.querySelectorAll('input')) {
    if (!field.checkVisibility()) continue;
    const color = numbers(getComputedStyle(field, '::placeholder').color).slice(0, 3);
    found.push({ text: field.placeholder, ratio: ratio(color, behind(field)) });
  }
  for (const shape of document.querySelectorAll('rect')) {
    if (!shape.checkVisibility()) continue;
    const color = numbers(getComputedStyle(shape).fill).slice(0, 3);
    found.push({ shape: shape.getAttribute('class'), ratio: ratio(color, behind(shape)) });
  }
  const focus = document.activeElement;
  const style = getComputedStyle(focus);
  if (focus !== document.body && parseFloat(style.outlineWidth) > 0) {
    const color = numbers(style.outlineColor).slice(0, 3);
    found.push({ focus: focus.id || focus.textContent.trim(), ratio: ratio(color, behind(focus)) });
  }
  return found;
}

/** Runs in the page: what has the focus, and whether it shows. */
function focused() {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {
    name: element.id || element.getAttribute('aria-label') || element.title
      || element.textContent.trim().slice(0, 40) || element.tagName,
    isOutlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    isInView: box.bottom > 0 && box.top < innerHeight && box.width > 0,
  };
}

const call = work => `(${work})()`;

module.exports = { CONTRASTS: call(contrasts), FOCUSED: call(focused) };
