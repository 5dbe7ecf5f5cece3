// The request, the response and the stores as scripts see them.

package import PostKitHTTP
package import PostKitJSON

/// The request that a script belongs to.
package struct ScriptRequest: Sendable, Hashable {
  /// A request as its author wrote it, references included.
  package struct Raw: Sendable, Hashable {
    package var method: String
    package var url: String
    package var headers: [HeaderField]
    package var body: [UInt8]?

    /// Makes a request as written.
    package init(
      method: String, url: String, headers: [HeaderField] = [], body: [UInt8]? = nil
    ) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  package var name: String?
  /// What the turn of a loop gives, for whom it is a row of data.
  package var data: [JSONMember] = []
  /// Method, URL, headers and body as far as they are known in the phase.
  package var known: Raw
  /// The same as written.
  package var written: Raw
  /// The values of each tag by its name, without `@`.
  package var tags: [String: [String]]
  /// Whether `known` has references that are still to be replaced.
  package var isTemplate: Bool
  /// Whether scripts may change `known`.
  package var isWritable: Bool
  /// The turn of `@loop`, from 0.
  package var iteration: Int
  package var replayCount: Int
  /// The values of its references to collections in this turn, in their order.
  package var templateValues: [JSONValue] = []
  /// The token that was got last for a header, with what came with it; `nil` for none.
  package var token: JSONValue?

  /// Makes a request.
  package init(
    name: String? = nil, known: Raw, written: Raw? = nil, tags: [String: [String]] = [:],
    isTemplate: Bool = false, isWritable: Bool = false, iteration: Int = 0, replayCount: Int = 0
  ) {
    self.name = name
    self.known = known
    self.written = written ?? known
    self.tags = tags
    self.isTemplate = isTemplate
    self.isWritable = isWritable
    self.iteration = iteration
    self.replayCount = replayCount
  }
}

/// The response that a script looks at.
package struct ScriptResponse: Sendable, Hashable {
  /// What a body is, which decides what `response.body` becomes.
  package enum Kind: String, Sendable, Hashable {
    case json, xml, html, text, binary, empty, stream
  }

  /// Times of its parts, in milliseconds.
  package struct Timings: Sendable, Hashable {
    package var wait = 0.0
    package var dns = 0.0
    package var tcp = 0.0
    package var tls = 0.0
    package var request = 0.0
    package var firstByte = 0.0
    package var download = 0.0
    package var total = 0.0

    /// Makes times that are all 0.
    package init() {}
  }

  package var status: Int
  package var reason: String
  /// Such as `HTTP/1.1`.
  package var `protocol`: String
  package var headers: [HeaderField]
  /// The body as received; `nil` where it isn't handed over.
  package var body: [UInt8]?
  package var kind: Kind
  package var mime: String
  package var charset: String
  package var timings: Timings
  package var ip: String
  /// Bytes of the body.
  package var size: Int
  /// The name of its request.
  package var name: String?
  /// The members of the body whose JSON Web Tokens are decoded: all where there are no names;
  /// `nil` where none is.
  package var tokenNames: [String]?
  /// Whether the script reads the body item by item, though it is a value.
  package var isReadByItem = false

  /// Makes a response.
  package init(
    status: Int, reason: String = "", protocol: String = "HTTP/1.1", headers: [HeaderField] = [],
    body: [UInt8]? = nil, kind: Kind = .empty, mime: String = "", charset: String = "",
    timings: Timings = Timings(), ip: String = "", size: Int? = nil, name: String? = nil
  ) {
    self.status = status
    self.reason = reason
    self.protocol = `protocol`
    self.headers = headers
    self.body = body
    self.kind = kind
    self.mime = mime
    self.charset = charset
    self.timings = timings
    self.ip = ip
    self.size = size ?? body?.count ?? 0
    self.name = name
  }
}

/// What a script can read without a call (SC-54): the names that occur in it, or all.
package struct ScriptStores: Sendable, Hashable {
  package var request: [JSONMember] = []
  package var globals: [JSONMember] = []
  package var headers: [JSONMember] = []
  package var environment: [JSONMember] = []
  package var overlay: [JSONMember] = []
  package var file: [JSONMember] = []
  package var exports: [JSONMember] = []
  /// What scripts have set for the file, below its own definitions.
  package var collection: [JSONMember] = []
  /// Responses of earlier requests by their names, with or without their bodies.
  package var responses: [String: ScriptResponse] = [:]
  /// The stores of which only names that occur in the script are here: the script asks for others.
  package var partial: [String] = []

  /// Makes stores in which nothing is.
  package init() {}
}
