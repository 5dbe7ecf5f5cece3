-- all rows
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  ORDER BY id;

-- sorted
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  ORDER BY pages DESC, title, id;

-- limited
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE is_lent = ?
  ORDER BY id
  LIMIT ?;
--   int(0)
--   int(10)

-- next page of the history
SELECT …
  FROM exchange
  WHERE (started_at, id) < (?, ?)
  ORDER BY started_at DESC, id DESC
  LIMIT ?;
--   int(1760000000000)
--   text("0190")
--   int(50)

-- next page in mixed order
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE pages < ?
  OR pages IS NULL
  OR pages = ?
  AND (title, id) > (?, ?)
  ORDER BY pages DESC, title, id;
--   int(300)
--   int(300)
--   text("Emma")
--   text("b1")

-- next page after an absent value
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE pages IS NOT NULL
  OR pages IS NULL
  AND id > ?
  ORDER BY pages, id;
--   text("b1")

-- a place of another order
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE 0
  ORDER BY id;

