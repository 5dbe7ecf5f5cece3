// The world as evaluation sees it: every effect is a closure, so that the rest is a pure function.

package import PostKitHTTP
package import PostKitSyntax

/// What became of reading a file.
package enum FileContent: Sendable {
  case bytes([UInt8])
  case missing
  /// There is something, but it can't be read; the text says why and what to do.
  case unreadable(String)
  /// It lies where this request may not read; the text says why and what to do.
  case outside(String)
}

/// An earlier exchange, as references see it (PK-55).
package struct ReferencedExchange: Sendable {
  package var request: SentRequest
  package var requestBody: [UInt8]
  package var response: Response
  package var responseBody: [UInt8]
  /// The time from the first byte sent to the last received, in milliseconds.
  package var milliseconds: Int
  /// Whether secrets were masked before it was stored, so that masks must not be sent.
  package var isRedacted: Bool
  /// The members of the response's body whose JSON Web Tokens are decoded (`@jwt`): all where there
  /// are no names; `nil` where none is.
  package var tokenNames: [String]?

  /// Makes a view of an exchange.
  package init(
    request: SentRequest, requestBody: [UInt8], response: Response, responseBody: [UInt8],
    milliseconds: Int, isRedacted: Bool = false
  ) {
    self.request = request
    self.requestBody = requestBody
    self.response = response
    self.responseBody = responseBody
    self.milliseconds = milliseconds
    self.isRedacted = isRedacted
  }
}

/// Time, randomness, files and the past, handed in.
package struct EvaluationContext: Sendable {
  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  package var now: @Sendable () -> Int64
  /// How many seconds local time is ahead of UTC at a moment in seconds since 1970.
  package var localOffsetSeconds: @Sendable (Int64) -> Int
  /// 64 random bits.
  package var random: @Sendable () -> UInt64
  /// The value of a variable of the process environment.
  package var processEnvironment: @Sendable (String) -> String?
  /// Why secrets of the process environment that the file at a path names are not read, as a
  /// clause; `nil` where they may be.
  package var processRefusal: @Sendable (String) -> String? = { _ in nil }
  /// The names of the process environment, for whoever chooses one; never a value.
  package var processNames: @Sendable () -> [String] = { [] }
  /// Reads the file at an absolute path.
  package var readFile: @Sendable (String) -> FileContent
  /// Finds what a path in a request file means: beside the file, then below the root (PK-17).
  package var resolvePath: @Sendable (String) -> String?
  /// What an editor has of the file at an absolute path and has not saved; `nil` where the disk has
  /// it, too.
  package var unsavedBytes: @Sendable (String) -> [UInt8]? = { _ in nil }
  /// Why the content of the file at an absolute path can't be sent, and what to do; `nil` where
  /// it can be.
  package var fileObstacle: @Sendable (String) -> String? = { _ in nil }
  /// Whether a path means one file beside the request file and another below the root (PK-17).
  package var isAmbiguous: @Sendable (String) -> Bool = { _ in false }
  /// The request files that an `import` line can name, as it names them: `./users.http`.
  package var requestFiles: @Sendable () -> [String] = { [] }
  /// The base URL of the example server; `nil` where it can't be started.
  package var exampleServer: @Sendable () -> String?
  /// The base URL of the session's mock; `nil` where none runs.
  package var mock: @Sendable () -> String? = { nil }
  /// The latest exchange of the request with that name.
  package var exchange: @Sendable (String) -> ReferencedExchange?
  /// The same with secrets masked, for what is only shown.
  package var shownExchange: @Sendable (String) -> ReferencedExchange?
  /// The secrets of exchanges, for whoever quotes what references read.
  package var exchangeSecrets: Set<String> = []
  /// The dotenv files of the nearest folder that has any, lowest first (PK-52).
  package var dotEnvFiles: [SourceFile] = []
  /// The absolute path of a file to be written: beside the request file unless it is absolute.
  package var placePath: @Sendable (String) -> String = { $0 }
  /// A digest of bytes; `nil` where the system has no library for it.
  package var digest: @Sendable (DigestKind, [UInt8]) -> [UInt8]? = { _, _ in nil }
  /// What stands for a reference at a place in the text that holds it, where a request is made to
  /// be written for another tool and not to be sent: digits alone, which mean the same wherever
  /// they stand. `nil` where references are resolved, as nearly always.
  package var standIn: (@Sendable (_ reference: ReferenceSyntax, _ written: String, _ offset: Int)
    -> String)?

  /// The folder that the request file belongs to.
  package var projectRoot = ""
  /// Random bits for the value of a name that is the same throughout the run; `nil` where any do.
  package var namedRandom: (@Sendable (String) -> @Sendable () -> UInt64)?
  /// Applies XPath to a document, or checks its form.
  package var xpath: @Sendable (XPathQuery) -> XPathOutcome = { _ in
    .unavailable("XPath can't be evaluated here")
  }
  /// The first mistake of a text that is to be XML; `nil` where there is none or nobody can tell.
  package var xmlMistake: @Sendable ([UInt8]) -> XMLMistake? = { _ in nil }

  /// Makes a context.
  package init(
    now: @escaping @Sendable () -> Int64,
    localOffsetSeconds: @escaping @Sendable (Int64) -> Int,
    random: @escaping @Sendable () -> UInt64,
    processEnvironment: @escaping @Sendable (String) -> String?,
    readFile: @escaping @Sendable (String) -> FileContent,
    resolvePath: @escaping @Sendable (String) -> String?,
    exampleServer: @escaping @Sendable () -> String?,
    exchange: @escaping @Sendable (String) -> ReferencedExchange?
  ) {
    self.now = now
    self.localOffsetSeconds = localOffsetSeconds
    self.random = random
    self.processEnvironment = processEnvironment
    self.readFile = readFile
    self.resolvePath = resolvePath
    self.exampleServer = exampleServer
    self.exchange = exchange
    shownExchange = exchange
  }
}

extension EvaluationContext {
  /// A world in which nothing happens and nothing is there: for names that definitions make.
  static let inert = EvaluationContext(
    now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 0 }, processEnvironment: { _ in nil },
    readFile: { _ in .missing }, resolvePath: { _ in nil }, exampleServer: { nil },
    exchange: { _ in nil })
}

/// A file that takes part in evaluation: its path and its bytes.
package struct SourceFile: Sendable, Hashable {
  package var path: String
  package var bytes: [UInt8]

  /// Makes a file.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
