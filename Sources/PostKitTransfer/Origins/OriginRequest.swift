// A request of another tool as a value.

/// What a request speaks.
enum OriginProtocol: Sendable, Hashable {
  case http, webSocket, grpc
}

/// A request as another tool keeps it.
///
/// Texts hold templates in our own form (`{{name}}`), which importers make of those of the origin
/// (IO-17). What a text of `isLiteral` has of `{{` is no template (IO-11).
struct OriginRequest: Sendable, Hashable {
  /// What names the request from import to import (IO-20): the origin's own id, else a path of
  /// names. Unique in its collection.
  var id: String
  /// How people call it; empty where the origin has no name.
  var name: String
  var description = ""
  var place: OriginPlace
  var kind = OriginProtocol.http
  /// The word for `# @name` where something refers to the request, or the origin has a stable word.
  var referenceName: String?
  /// The `referenceName` of requests that must have been sent before (`# @ref`).
  var references: [String] = []
  /// Words for `# @tag`.
  var tags: [String] = []
  /// Other tags of ours in order, such as `no-redirect` or `timeout 5 s`, without `# @`.
  var metadata: [String] = []
  /// Comments that stand at the head of the block, such as the fields of an auth that can't be had.
  var comments: [String] = []
  /// The method as the origin has it.
  var method = "GET"
  /// The URL without its query.
  var url: OriginText
  /// The version of HTTP that stands behind the target, such as `2`; `nil` where any will do.
  var httpVersion: String?
  var query: [OriginPair] = []
  /// Variables of the path (`{{name}}` in `url`) with the values of this request. `Writing` defines
  /// each at the head of the file, under a name of its own where two requests differ.
  var pathVariables: [OriginVariable] = []
  /// Headers in order, with those that the origin's tool adds itself where they change what is
  /// sent, such as a `Content-Type`.
  var headers: [OriginPair] = []
  var body = OriginBody.none
  var auth = OriginAuth.inherited
  /// Where the auth stands; `nil` where it is the place of the request.
  var authPlace: OriginPlace?
  /// Where the headers stand; `nil` where it is the place of the request.
  var headersPlace: OriginPlace?
  /// Where the body stands; `nil` where it is the place of the request.
  var bodyPlace: OriginPlace?
  /// Variables of this request alone.
  var variables: [OriginVariable] = []
  var scripts: [OriginScript] = []
  /// `??` lines without the marks, such as `status == 200`, in order.
  var checks: [OriginCheck] = []
  var examples: [OriginExample] = []
  /// Whether a part of it could not be had, since that is on another machine.
  var isPartial = false
}

/// A text of a request.
struct OriginText: Sendable, Hashable, ExpressibleByStringLiteral {
  var text: String
  /// Whether `{{` in it is text and no template.
  var isLiteral = false

  /// Makes a text with templates in it.
  init(_ text: String) { self.text = text }

  /// Makes a text in which `{{` is just text.
  init(literal text: String) {
    self.text = text
    isLiteral = true
  }

  /// Makes a text with templates in it.
  init(stringLiteral text: String) { self.init(text) }
}

/// A pair of a query, a form or a head.
struct OriginPair: Sendable, Hashable {
  var name: OriginText
  /// The value; `nil` for a name alone, without `=`.
  var value: OriginText?
  /// Whether it is switched on; one that is off becomes a comment at its place (IO-10).
  var isOn = true
  var description = ""
}

/// What is sent behind the head.
enum OriginBody: Sendable, Hashable {
  case none
  /// A text, byte for byte (IO-13).
  case text(OriginText)
  /// Bytes that are no text, and the ending of the file that they are written to, such as `.bin`.
  case bytes([UInt8], ending: String)
  /// A file, as the origin names it; `nil` where it names none (IO-12).
  case file(String?)
  /// `application/x-www-form-urlencoded`; names and values are not encoded yet.
  case form([OriginPair])
  case multipart([OriginPart])
  /// GraphQL: the query, the variables as JSON text, and the operation that is named.
  case graphQL(query: String, variables: String?, operationName: String?)
  /// Messages of a WebSocket or a stream, in order.
  case messages([OriginText])
}

/// A part of a multipart body.
struct OriginPart: Sendable, Hashable {
  /// What a part holds.
  enum Content: Sendable, Hashable {
    case text(OriginText)
    /// A file as the origin names it; `nil` where it names none.
    case file(String?)
    /// Bytes that the source itself holds.
    case bytes([UInt8])
  }

  var name: OriginText
  var content: Content
  /// The name that is told to the server, where the origin has one.
  var fileName: String?
  /// The type of the part, where the origin has one.
  var contentType: String?
  /// Further headers of the part.
  var headers: [OriginPair] = []
  var isOn = true
}

/// A check of the response that has its own line in our language.
struct OriginCheck: Sendable, Hashable {
  /// The line without `??`, such as `body $.id == 7`.
  var line: String
  /// What the origin calls the check, where that says more than the line.
  var title: String?
}

/// A response that the origin keeps with a request.
struct OriginExample: Sendable, Hashable {
  var name: String
  var status: Int
  var headers: [OriginPair] = []
  var body: [UInt8] = []
  var place: OriginPlace
}
