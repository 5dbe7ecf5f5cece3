'use strict';
// The script of the statistics panel: its buttons, which say to the extension what was pressed, and
// the order of the table, which is kept when its figures change.
{
  const api = acquireVsCodeApi();
  const remember = more => api.setState({ ...api.getState(), ...more });
  const heads = [...document.querySelectorAll('[data-sort]')];
  const body = document.querySelector('tbody');
  const rows = body ? [...body.rows] : [];

  /** What a row has in a column; figures are compared as such. */
  const valueOf = (row, column) => {
    const cell = column === 0 ? row.cells[0] : row.cells[column + 1];
    const { value } = cell.dataset;
    return column === 0 ? value : Number(value);
  };
  const compare = (one, other) => typeof one === 'number' ? one - other
    : one.localeCompare(other, undefined, { numeric: true });

  const sort = (column, isDescending) => {
    const sorted = [...rows].sort((one, other) => {
      const order = compare(valueOf(one, column), valueOf(other, column));
      return isDescending ? -order : order;
    });
    body.append(...sorted);
    for (const head of heads) {
      const isChosen = Number(head.dataset.sort) === column;
      const cell = head.closest('th');
      if (isChosen) cell.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    }
    remember({ sort: { column, isDescending } });
  };

  for (const head of heads) {
    const column = Number(head.dataset.sort);
    head.addEventListener('click', () => {
      const now = head.closest('th').getAttribute('aria-sort');
      // Of figures the largest are looked for, of names the first.
      sort(column, now ? now === 'ascending' : column > 0);
    });
  }

  document.addEventListener('click', event => {
    const button = event.target.closest('[data-act]');
    if (!button) return;
    const { act, by, line } = button.dataset;
    api.postMessage({ act, by, line });
  });

  /** What names a button in the page that comes next. */
  const nameOf = ({ dataset: { by, line, sort: place } }) => JSON.stringify([by, line, place]);
  document.addEventListener('focusin', ({ target }) => remember({ focused: nameOf(target) }));

  const { sort: order, focused } = api.getState() ?? {};
  if (order && body && heads.length > order.column) sort(order.column, order.isDescending);
  // New figures leave the keyboard where it was.
  if (focused && document.hasFocus()) {
    [...document.querySelectorAll('button')].find(each => nameOf(each) === focused)?.focus();
  }
}
