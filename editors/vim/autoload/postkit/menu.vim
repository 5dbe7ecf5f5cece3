vim9script
# Lets a person choose one of several words in a popup menu.

# Shows `items` under `title`; `Chosen(index)` gets -1 when the menu was left without a choice.
export def Pick(title: string, items: list<string>, Chosen: func)
  popup_menu(items, {
    title: ' ' .. title .. ' ',
    maxheight: max([5, &lines - 6]),
    maxwidth: max([20, &columns - 8]),
    padding: [0, 1, 0, 1],
    callback: (_, result) => Chosen(result > 0 ? result - 1 : -1),
  })
enddef
