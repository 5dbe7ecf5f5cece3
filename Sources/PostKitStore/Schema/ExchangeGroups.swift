// The statements by which exchanges come into groups; a released step has the first word for word.

/// What makes exchanges a group: being equal in all that people filter by.
enum ExchangeGroups {
  private static let columns =
    "key, file, host, method, status, environment, state, label, has_failed_test"

  /// What of an exchange makes the group that it is in.
  private static func parts(of row: String) -> [String] {
    ["file", "host", "method", "status", "environment", "state", "label"].map { "\(row).\($0)" }
      + ["coalesce(\(row).failed_test_count, 0) > 0"]
  }

  private static func values(of row: String) -> String {
    parts(of: row).joined(separator: ", ")
  }

  /// All of it in one text. Functions on JSON are not allowed in triggers.
  private static func key(of row: String) -> String {
    parts(of: row).map { "quote(\($0))" }.joined(separator: " || ',' || ")
  }

  private static func figures(of row: String) -> String {
    "\(row).started_at, \(row).sequence, number, \(row).total_microseconds, "
      + "\(row).request_size, \(row).decoded_size"
  }

  /// Brings an exchange into its group in a trigger; makes the group unless it is there.
  static let addition = """
    INSERT INTO exchange_group (\(columns))
        SELECT \(key(of: "NEW")), \(values(of: "NEW"))
        WHERE NOT EXISTS (SELECT 1 FROM exchange_group WHERE key = \(key(of: "NEW")));
      INSERT INTO exchange_figures
        SELECT \(figures(of: "NEW")) FROM exchange_group WHERE key = \(key(of: "NEW"));
    """

  /// Makes the groups of the exchanges from one number on and before another, unless they are
  /// there.
  static let additionOfMany = """
    INSERT OR IGNORE INTO exchange_group (\(columns))
      SELECT DISTINCT \(key(of: "exchange")), \(values(of: "exchange")) FROM exchange
      WHERE sequence >= ? AND sequence < ?
    """

  /// Brings the same exchanges into their groups.
  static let figuresOfMany = """
    INSERT OR IGNORE INTO exchange_figures
      SELECT \(figures(of: "exchange"))
      FROM exchange CROSS JOIN exchange_group ON key = \(key(of: "exchange"))
      WHERE sequence >= ? AND sequence < ?
    """
}
