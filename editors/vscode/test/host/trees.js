'use strict';
// Lists beside the editor: looks at a tree view and selects in it, as a user would.
const features = require('./features');
const uri = require('./uri');

const EXPANDS = ['none', 'collapsed', 'expanded'];

function treeItem(raw) {
  const item = {
    label: raw.label?.label, description: raw.description, context: raw.contextValue,
    tooltip: features.md(raw.tooltip), icon: raw.themeIcon?.id, color: raw.themeIcon?.color?.id,
    expands: EXPANDS[raw.collapsibleState], spoken: raw.accessibilityInformation?.label,
    file: raw.resourceUri && uri.fsPath(raw.resourceUri), command: features.command(raw.command),
  };
  for (const key of Object.keys(item)) if (item[key] === undefined) delete item[key];
  return features.hide(item, raw, { handle: raw.handle });
}

/** A window asks for one thing of a view after the other. */
function inTurn(view, work) {
  const result = (view.turn ?? Promise.resolve()).then(work);
  view.turn = result.catch(() => {});
  return result;
}

async function children(host, id, parent) {
  // Since 1.96 several parents in one call.
  const isBatched = host.info.minor >= 96;
  const handles = parent ? [isBatched ? [parent.handle] : parent.handle] : [];
  const found = await host.rpc.call('ExtHostTreeViews', '$getChildren', [id, ...handles]);
  return ((isBatched ? found?.[0]?.slice(1) : found) ?? []).map(treeItem);
}

async function items(host, id, parent) {
  const found = await children(host, id, parent);
  return (await Promise.all(found.map(async item =>
    [item, ...item.expands === 'expanded' ? await items(host, id, item) : []]))).flat();
}

const methods = {
  /** Shows a view, which asks for nothing by itself, or hides it. */
  async showTree(id, isVisible = true) {
    if (!this.treeViews.has(id)) await this._activateByEvent(`onView:${id}`);
    await this.waitFor(() => this.treeViews.has(id), { what: `the tree view ${id}` });
    this.treeViews.get(id).isVisible = isVisible;
    await this.rpc.call('ExtHostTreeViews', '$setVisible', [id, isVisible]);
  },
  /** As the window does with what it shows: without it, the items of before mean nothing. */
  _treeRefreshed(view) {
    if (view.isVisible && !this.dead) inTurn(view, () => items(this, view.id)).catch(() => {});
  },
  /** The items below one, or the first ones. */
  async treeChildren(id, parent) {
    await this.showTree(id);
    return inTurn(this.treeViews.get(id), () => children(this, id, parent));
  },
  /** All items with those below them, as far down as the view shows them by itself. */
  async treeItems(id) {
    await this.showTree(id);
    return inTurn(this.treeViews.get(id), () => items(this, id));
  },
  /** The user selects items. */
  treeSelect(id, ...chosen) {
    const handles = chosen.map(({ handle }) => handle);
    return inTurn(this.treeViews.get(id), () => this.rpc.call(
      'ExtHostTreeViews', '$setSelectionAndFocus', [id, handles, handles.at(-1)]));
  },
  /** The user runs a command of an item's menu, with whatever else is selected. */
  async treeCommand(id, command, item, ...others) {
    await this.treeViews.get(id).turn;
    const handle = each => ({ $treeViewId: id, $treeItemHandle: each.handle });
    return this.executeCommand(command, handle(item),
      others.length ? [item, ...others].map(handle) : undefined);
  },
  /** The user drags items of a view onto another of its items. */
  async treeDrag(id, dragged, target) {
    const handles = dragged.map(({ handle }) => handle);
    const call = (method, args, o) => this.rpc.call('ExtHostTreeViews', method, args, o);
    await call('$handleDrag', [id, handles, 'drag'], { cancellable: true });
    await call('$handleDrop', [id, 1, { items: [] }, target.handle, null, 'drag', id, handles]);
  },
};

module.exports = { methods };
