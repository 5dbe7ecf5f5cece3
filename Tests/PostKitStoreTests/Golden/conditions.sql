-- no condition
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  ORDER BY id;

-- nothing meets it
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE 0
  ORDER BY id;

-- comparison
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE title >= ?
  AND title < ?
  AND pages > ?
  AND pages <= ?
  ORDER BY id;
--   text("M")
--   text("N")
--   int(99)
--   int(300)

-- equality
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE title = ?
  AND pages IS NOT ?
  AND title <> ?
  ORDER BY id;
--   text("Emma")
--   int(5)
--   text("x")

-- absence
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE pages IS NULL
  OR shelf_id IS NOT NULL
  ORDER BY id;

-- parts of a text
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE title LIKE ? ESCAPE '\'
  AND shelf_id LIKE ? ESCAPE '\'
  ORDER BY id;
--   text("%50\\%\\_a\\\\b%")
--   text("%\'")

-- one of several
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE pages IN (SELECT value FROM json_each(?))
  OR title IN (SELECT value FROM json_each(?))
  ORDER BY id;
--   text("[1,2]")
--   text("[\"a\\\"b\",\"c\"]")

-- and, or
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE (is_lent = ? OR pages < ?)
  AND (pages = ? OR pages = ? AND id LIKE ? ESCAPE '\')
  ORDER BY id;
--   int(1)
--   int(5)
--   int(1)
--   int(2)
--   text("%x%")

-- known when it runs
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE pages = ?
  AND pages = ?
  AND (pages = ? OR pages = ?)
  ORDER BY id;
--   int(1)
--   int(2)
--   int(3)
--   int(4)

-- ten terms
SELECT id, title, pages, is_lent, shelf_id
  FROM book
  WHERE title LIKE ? ESCAPE '\'
  AND pages >= ?
  AND pages <= ?
  AND is_lent = ?
  AND (shelf_id IS NULL OR shelf_id = ?)
  AND id <> ?
  AND pages IN (SELECT value FROM json_each(?))
  AND title LIKE ? ESCAPE '\'
  AND pages IS NOT NULL
  ORDER BY id;
--   text("%a%")
--   int(1)
--   int(900)
--   int(0)
--   text("s1")
--   text("x")
--   text("[1,2,3]")
--   text("%The")

