vim9script
# Lets a person choose one of several words in a popup menu.

# Shows `items` under `title`; `Chosen(index)` gets -1 when the menu was left without a choice.
# A title that is too long for its line, such as a question with paths, stands above the menu, whole.
export def Pick(title: string, items: list<string>, Chosen: func)
  var isLong = strdisplaywidth(title) > &columns - 12
  var above = !isLong ? 0 : popup_create(title, {
    line: 2, col: 4, maxwidth: max([20, &columns - 8]), wrap: true, border: [],
    padding: [0, 1, 0, 1], zindex: 200,
  })
  popup_menu(items, {
    title: isLong ? ' PostKit ' : ' ' .. title .. ' ',
    maxheight: max([5, &lines - 6]),
    maxwidth: max([20, &columns - 8]),
    padding: [0, 1, 0, 1],
    callback: (_, result) => {
      popup_close(above)
      Chosen(result > 0 ? result - 1 : -1)
    },
  })
enddef
