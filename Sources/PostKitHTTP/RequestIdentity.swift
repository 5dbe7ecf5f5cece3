// Which exchanges are those of one request, so that its responses can be compared over time.

/// A request as the history knows it again: by file and name, without a name by its line; each
/// environment is a request of its own.
package struct RequestIdentity: Sendable, Hashable {
  package let file: String
  package let name: String?
  /// The line of the request line, counted from 1; 0 where the name decides.
  package let line: Int
  package let environment: String?

  /// The request at a place; a name says more than the line.
  package init(file: String, name: String?, line: Int, environment: String?) {
    self.file = file
    self.name = name
    self.line = name == nil ? line : 0
    self.environment = environment
  }

  /// The request that an exchange is one of.
  package init(_ exchange: Exchange) {
    self.init(
      file: exchange.file, name: exchange.requestName, line: exchange.line,
      environment: exchange.environment)
  }
}
