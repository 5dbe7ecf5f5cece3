// Conditions and values of rows as data: what the typed columns build and SQL is made of.

import PostKitJSON

/// A part of a statement that has a value for each row. Identifiers come from columns and tables
/// only, values are bound.
indirect enum Term: Sendable, Hashable {
  /// A column of the row that is looked at.
  case column(String)
  case value(SQLValue)
  /// SQL of our own on columns of the outermost table, with its values.
  case fragment(String, [SQLValue])
  case infix(Term, String, Term)
  case call(String, [Term])
  case isIn(Term, [SQLValue])
  case like(Term, String)
  /// Whether all are true; so it is with none.
  case all([Term])
  /// Whether one is true; with none it isn't.
  case any([Term])
  /// A value of the rows at the other end of a relationship.
  case related(Term, Join, Term)

  /// The condition of no condition.
  static let always = Term.all([])

  /// The same condition on columns, for which SQLite looks up no index.
  var unindexed: Term {
    switch self {
    case .infix(.column(let name), let word, let right):
      .infix(.fragment("+\(name)", []), word, right)
    case .all(let terms): .all(terms.map(\.unindexed))
    default: self
    }
  }

  /// Both, in one flat list.
  static func && (left: Term, right: Term) -> Term {
    switch (left, right) {
    case (.all([]), _): right
    case (_, .all([])): left
    case (.all(let first), .all(let second)): .all(first + second)
    case (.all(let first), _): .all(first + [right])
    case (_, .all(let second)): .all([left] + second)
    default: .all([left, right])
    }
  }

  /// One of both, in one flat list.
  static func || (left: Term, right: Term) -> Term {
    switch (left, right) {
    case (.any([]), _): right
    case (_, .any([])): left
    case (.any(let first), .any(let second)): .any(first + second)
    case (.any(let first), _): .any(first + [right])
    case (_, .any(let second)): .any([left] + second)
    default: .any([left, right])
    }
  }
}

/// How rows of another table belong to a row.
struct Join: Sendable, Hashable {
  /// The other table.
  var table: String
  /// The column of the other table.
  var column: String
  /// The column that it is equal to, of the table at this end.
  var ownColumn: String
}

/// Writes terms as SQL and collects their values in order.
struct SQLWriter {
  private(set) var sql = ""
  private(set) var values: [SQLValue] = []
  private let table: String
  private var aliasCount = 0

  /// The table of the row that terms are about: the statement's own, or one of a subquery.
  private struct Subject {
    /// Stands before columns; empty for the statement's own table.
    var prefix: String
    /// The name by which subqueries refer to it.
    var name: String
  }

  /// Writes a statement on a table.
  init(table: String) { self.table = table }

  /// What was written.
  var query: SQLQuery { SQLQuery(sql: sql, values: values) }

  /// Adds SQL as it is.
  mutating func write(_ text: String) { sql += text }

  /// Adds a parameter with its value.
  mutating func write(_ value: SQLValue) {
    sql += "?"
    values.append(value)
  }

  /// Adds a term about the rows of the statement's own table.
  mutating func write(_ term: Term) { write(term, of: Subject(prefix: "", name: table)) }

  /// Adds terms with something between them.
  mutating func write(_ terms: [Term], separator: String) {
    write(terms, separator: separator, of: Subject(prefix: "", name: table))
  }

  private mutating func write(_ term: Term, of subject: Subject) {
    switch term {
    case .column(let name): write(subject.prefix + name)
    case .value(let value): write(value)
    case .fragment(let text, let bound):
      write(text)
      values += bound
    case .infix(let left, let word, let right):
      write(left, of: subject)
      write(" \(word) ")
      write(right, of: subject)
    case .call(let name, let arguments):
      write("\(name)(")
      write(arguments, separator: ", ", of: subject)
      write(")")
    case .isIn(let operand, let list):
      // As one value: the text of the statement doesn't depend on how many there are.
      write(operand, of: subject)
      write(" IN (SELECT value FROM json_each(")
      write(.text(SQLWriter.json(list)))
      write("))")
    case .like(let operand, let pattern):
      write(operand, of: subject)
      write(" LIKE ")
      write(.text(pattern))
      write(" ESCAPE '\\'")
    case .all([]): write("1")
    case .all(let terms): write(terms, separator: " AND ", of: subject)
    case .any([]): write("0")
    case .any(let terms): write(terms, separator: " OR ", of: subject)
    case .related(let value, let join, let condition):
      writeSubquery(value, join, condition, of: subject)
    }
  }

  private mutating func write(_ terms: [Term], separator: String, of subject: Subject) {
    for (index, term) in terms.enumerated() {
      if index > 0 { write(separator) }
      if separator == " AND ", case .any(let alternatives) = term, alternatives.count > 1 {
        write("(")
        write(term, of: subject)
        write(")")
      } else {
        write(term, of: subject)
      }
    }
  }

  private static func json(_ values: [SQLValue]) -> String {
    var writer = JSONWriter()
    writer.beginArray()
    for value in values {
      switch value {
      case .int(let number): writer.int(number)
      case .real(let number): writer.double(number)
      case .text(let text): writer.string(text)
      // No type of a column is written like this.
      case .null, .blob: writer.null()
      }
    }
    writer.endArray()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private mutating func writeSubquery(
    _ value: Term, _ join: Join, _ condition: Term, of subject: Subject
  ) {
    aliasCount += 1
    let other = Subject(prefix: "t\(aliasCount).", name: "t\(aliasCount)")
    write("(SELECT ")
    write(value, of: other)
    write(" FROM \(join.table) AS \(other.name) WHERE ")
    write("\(other.name).\(join.column) = \(subject.name).\(join.ownColumn)")
    if condition != .always {
      write(" AND ")
      write([condition], separator: " AND ", of: other)
    }
    write(")")
  }
}
