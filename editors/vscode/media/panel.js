'use strict';
// The script of the response panel: tabs by mouse and keyboard (ARIA's pattern for tabs), and the
// buttons, which say to the extension what was pressed.
{
  const api = acquireVsCodeApi();
  const tabs = [...document.querySelectorAll('[role=tab]')];
  const panelOf = tab => document.getElementById(tab.getAttribute('aria-controls'));
  const remember = more => api.setState({ ...api.getState(), ...more });

  const select = (tab, { focus }) => {
    for (const each of tabs) {
      const isSelected = each === tab;
      each.setAttribute('aria-selected', String(isSelected));
      each.tabIndex = isSelected ? 0 : -1;
      panelOf(each).hidden = !isSelected;
    }
    if (focus) tab.focus();
    remember({ tab: tab.id });
  };

  const MOVES = {
    ArrowLeft: place => (place + tabs.length - 1) % tabs.length,
    ArrowRight: place => (place + 1) % tabs.length,
    Home: () => 0,
    End: () => tabs.length - 1,
  };
  document.querySelector('[role=tablist]').addEventListener('keydown', event => {
    const move = MOVES[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(tabs[move(tabs.indexOf(document.activeElement))], { focus: true });
  });
  for (const tab of tabs) tab.addEventListener('click', () => select(tab, { focus: true }));

  document.addEventListener('click', event => {
    const button = event.target.closest('[data-act]');
    if (button) api.postMessage({ act: button.dataset.act, id: button.dataset.id });
  });

  const field = document.getElementById('filter');
  if (field) {
    const [problem, filtered, whole] = ['problem', 'filtered', 'whole']
      .map(id => document.getElementById(id));
    const show = (text, sentence) => {
      problem.textContent = sentence ?? '';
      filtered.textContent = text ?? '';
      filtered.hidden = text === undefined;
      whole.hidden = text !== undefined;
    };
    const ask = path => api.postMessage({ act: 'filter', path });
    let timer;
    field.addEventListener('input', () => {
      clearTimeout(timer);
      const path = field.value.trim();
      remember({ filter: { path, of: document.title } });
      // As long as somebody goes on typing, nothing is asked.
      if (path) timer = setTimeout(() => ask(path), 150);
      else show();
    });
    window.addEventListener('message', ({ data }) => {
      // The answer to what stood there before comes too late.
      if (data?.act !== 'filtered' || data.path !== field.value.trim()) return;
      if (data.problem === undefined) show(data.text);
      else problem.textContent = data.problem;
    });
    // What the same request answers next is filtered by what filtered this.
    const { path, of } = api.getState()?.filter ?? {};
    if (path && of === document.title) {
      field.value = path;
      ask(path);
    }
  }

  // The next response opens on the part that was looked at.
  const known = tabs.find(({ id }) => id === api.getState()?.tab);
  if (known) select(known, { focus: false });
}
