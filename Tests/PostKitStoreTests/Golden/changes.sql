-- delete
DELETE
  FROM book
  WHERE is_lent = ?
  OR pages IS NULL;
--   int(1)

-- delete all
DELETE
  FROM book;

-- update
UPDATE book
  SET pages = ?, title = ?
  WHERE shelf_id = ?;
--   null
--   text("new")
--   text("s1")

-- update nothing
-- no statement

-- insert
INSERT INTO book (id, title, pages, is_lent, shelf_id)
  VALUES (?, ?, ?, ?, ?);
--   text("b1")
--   text("Emma")
--   int(474)
--   int(0)
--   text("s1")

