-- one of them
SELECT id, name, parent_id
  FROM shelf
  WHERE EXISTS (SELECT 1 FROM book AS t1 WHERE t1.shelf_id = shelf.id AND (t1.pages > ? OR t1.is_lent = ?))
  ORDER BY id;
--   int(500)
--   int(1)

-- all of them
SELECT id, name, parent_id
  FROM shelf
  WHERE (EXISTS (SELECT 1 FROM book AS t1 WHERE t1.shelf_id = shelf.id AND (t1.pages IS NOT NULL) IS NOT TRUE)) IS NOT TRUE
  ORDER BY id;

-- none of them
SELECT id, name, parent_id
  FROM shelf
  WHERE (EXISTS (SELECT 1 FROM book AS t1 WHERE t1.shelf_id = shelf.id)) IS NOT TRUE
  ORDER BY id;

-- a table within itself
SELECT id, name, parent_id
  FROM shelf
  WHERE EXISTS (SELECT 1 FROM shelf AS t1 WHERE t1.parent_id = shelf.id AND t1.name = ? AND EXISTS (SELECT 1 FROM shelf AS t2 WHERE t2.parent_id = t1.id AND t2.name = ?))
  ORDER BY id;
--   text("a")
--   text("b")

-- aggregates of them
SELECT id, name, parent_id
  FROM shelf
  WHERE (SELECT count(*) FROM book AS t1 WHERE t1.shelf_id = shelf.id) > ?
  AND (SELECT count(*) FROM book AS t2 WHERE t2.shelf_id = shelf.id AND t2.is_lent = ?) = ?
  AND (SELECT sum(t3.pages) FROM book AS t3 WHERE t3.shelf_id = shelf.id) >= ?
  AND (SELECT max(t4.title) FROM book AS t4 WHERE t4.shelf_id = shelf.id) < ?
  ORDER BY id;
--   int(3)
--   int(1)
--   int(0)
--   int(1000)
--   text("Z")

