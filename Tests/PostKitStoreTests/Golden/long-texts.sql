-- contains
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE instr(lower(title), lower(?)) > 0
  ORDER BY id;
--   text("<20,000 letters>")

-- contains a NUL
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE instr(lower(title), lower(?)) > 0
  ORDER BY id;
--   text("a\0b")

-- ends
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE substr(lower(title), ?) = lower(?)
  ORDER BY id;
--   int(-20000)
--   text("<20,000 letters>")

