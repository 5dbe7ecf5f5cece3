'use strict';
// Which nodes of a list a command is about, and the question before they go.
const { tell } = require('../window/messages');

/** The nodes of a kind that are meant: those of the menu, else what is selected. */
function pick(view, kind, node, all) {
  const meant = all?.length ? all : node ? [node] : view.selection;
  return meant.filter(each => each.kind === kind);
}

/** Those that are meant: one by its name, several by their number. */
const meaning = (nodes, kind, name) =>
  nodes.length === 1 ? name(nodes[0]) : `these ${nodes.length} ${kind}s`;

/**
 * Asks before something is lost.
 * @param {string} question
 * @param {string} [detail] how it comes back, where it does
 */
async function mayDelete(question, detail = "This can't be undone.") {
  const answer = 'Delete';
  return await tell('warning', question, { modal: true, detail }, answer) === answer;
}

module.exports = { meaning, mayDelete, pick };
