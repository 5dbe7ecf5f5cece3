-- some of them
SELECT id, name, parent_id
  FROM shelf
  WHERE (SELECT count(*) FROM book AS t1 WHERE t1.shelf_id = shelf.id) > ?
  AND (SELECT count(*) FROM book AS t2 WHERE t2.shelf_id = shelf.id AND (t2.pages > ? OR t2.is_lent = ?)) = ?
  ORDER BY id;
--   int(3)
--   int(500)
--   int(1)
--   int(0)

-- a table within itself
SELECT id, name, parent_id
  FROM shelf
  WHERE (SELECT count(*) FROM shelf AS t1 WHERE t1.parent_id = shelf.id AND t1.name = ? AND (SELECT count(*) FROM shelf AS t2 WHERE t2.parent_id = t1.id AND t2.name = ?) > ?) > ?
  ORDER BY id;
--   text("a")
--   text("b")
--   int(0)
--   int(0)

