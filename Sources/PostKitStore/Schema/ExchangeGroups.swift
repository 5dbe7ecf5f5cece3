// The statements by which exchanges come into groups; a released step has the first word for word.

/// What makes exchanges a group: being equal in all that people filter by.
enum ExchangeGroups {
  private static let columns =
    "file, host, method, status, environment, state, label, has_failed_test"

  /// What of an exchange makes the group that it is in, in the order of the columns.
  private static let values = """
    NEW.file, NEW.host, NEW.method, NEW.status, NEW.environment, NEW.state, NEW.label,
          coalesce(NEW.failed_test_count, 0) > 0
    """

  private static let equality = """
    file = NEW.file AND host IS NEW.host AND method = NEW.method
          AND status IS NEW.status AND environment IS NEW.environment AND state = NEW.state
          AND label IS NEW.label AND has_failed_test = (coalesce(NEW.failed_test_count, 0) > 0)
    """

  /// Brings an exchange into its group in a trigger; makes the group unless it is there.
  static let addition = """
    INSERT INTO exchange_group (\(columns))
        SELECT \(values)
        WHERE NOT EXISTS (
          SELECT 1 FROM exchange_group WHERE \(equality));
      INSERT INTO exchange_figures
        SELECT NEW.started_at, NEW.sequence, number, NEW.total_microseconds,
          NEW.request_size, NEW.decoded_size
        FROM exchange_group WHERE \(equality);
    """

  /// Reads exchanges: their figures, and from column 5 on what makes their groups.
  static let selection = """
    SELECT started_at, sequence, total_microseconds, request_size, decoded_size,
      file, host, method, status, environment, state, label, coalesce(failed_test_count, 0) > 0
    FROM exchange
    """

  /// The number of a group.
  static let lookup = """
    SELECT number FROM exchange_group INDEXED BY exchange_group_by_file
    WHERE file IS ? AND host IS ? AND method IS ? AND status IS ? AND environment IS ?
      AND state IS ? AND label IS ? AND has_failed_test IS ?
    """

  /// Makes a group.
  static let insertion = "INSERT INTO exchange_group (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

  /// Adds the figures of an exchange. Whoever labelled it has done so before.
  static let figures = "INSERT OR IGNORE INTO exchange_figures VALUES (?, ?, ?, ?, ?, ?)"
}

/// An exchange that is to be grouped.
struct GroupedExchange {
  /// What makes its group.
  let group: [SQLValue]
  let startedAt: SQLValue
  let sequence: Int64
  private let sizes: [SQLValue]

  /// Reads a row of `ExchangeGroups.selection`.
  init(_ row: Statement) {
    startedAt = row.value(0)
    sequence = row.int64(1)
    sizes = [row.value(2), row.value(3), row.value(4)]
    group = (5..<13).map { row.value($0) }
  }

  /// The values of `ExchangeGroups.figures`.
  func figures(of group: Int64) -> [SQLValue] {
    [startedAt, .int(sequence), .int(group)] + sizes
  }
}
