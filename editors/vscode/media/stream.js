'use strict';
// The script of the response panel while a response comes: what has come is text and nothing else.
{
  const api = acquireVsCodeApi();
  const [outcome, text, cut] = ['outcome', 'text', 'cut'].map(id => document.getElementById(id));
  /** Of pieces so many are shown; the eldest give way. */
  const MOST = 512 << 10;
  let length = 0;

  const add = piece => {
    if (!piece) return;
    text.append(document.createTextNode(piece));
    length += piece.length;
    while (length > MOST && text.childNodes.length > 1) {
      length -= text.firstChild.length;
      text.firstChild.remove();
      cut.hidden = false;
    }
  };

  window.addEventListener('message', ({ data }) => {
    if (data?.act !== 'whole' && data?.act !== 'more') return;
    const root = document.scrollingElement;
    // Who has scrolled back to read is left there.
    const isAtEnd = root.scrollTop + root.clientHeight >= root.scrollHeight - 20;
    if (data.act === 'whole') {
      text.textContent = '';
      length = 0;
      cut.hidden = !data.isCut;
    }
    add(data.text);
    outcome.textContent = data.words;
    if (data.isOver) document.body.setAttribute('aria-busy', 'false');
    if (isAtEnd) root.scrollTop = root.scrollHeight;
  });
  document.addEventListener('click', event => {
    const button = event.target.closest('[data-act]');
    if (button) api.postMessage({ act: button.dataset.act });
  });
  api.postMessage({ act: 'ready' });
}
