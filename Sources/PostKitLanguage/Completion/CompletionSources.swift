// What completion knows beyond the file and its environments. The editor's side fetches it; here it
// is values, so that an answer is a pure function.

package import PostKitDescription
package import PostKitSyntax

/// A request of the history: what was asked for.
package struct SentTarget: Sendable, Hashable {
  package var method: String
  package var url: String

  /// Makes a target.
  package init(method: String, url: String) {
    self.method = method
    self.url = url
  }
}

/// The bodies of an exchange, as texts.
package struct SentBodies: Sendable, Hashable {
  package var method: String
  package var request: [UInt8]
  package var response: [UInt8]

  /// Makes bodies.
  package init(method: String, request: [UInt8], response: [UInt8]) {
    self.method = method
    self.request = request
    self.response = response
  }
}

/// A header field of an earlier request.
package struct SentField: Sendable, Hashable {
  package var name: String
  package var value: String

  /// Makes a field.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What lies in a folder.
package struct FolderEntry: Sendable, Hashable {
  package var name: String
  package var isFolder: Bool

  /// Makes an entry.
  package init(_ name: String, isFolder: Bool = false) {
    self.name = name
    self.isFolder = isFolder
  }
}

/// A place whose texts a description of the service may know: its paths, parameters and members.
package enum DescribedPlace: Sendable, Hashable {
  /// The methods of a URL.
  case methods(DescribedRequest)
  /// The paths of the service behind an origin, which is the target of the request; `typed` stands
  /// behind it already.
  case paths(DescribedRequest, typed: String)
  case queryNames(DescribedRequest)
  case queryValues(DescribedRequest, name: String)
  case headerNames(DescribedRequest)
  case headerValues(DescribedRequest, name: String)
  /// The members of the object at a path of keys, `*` for elements; `type` is the body's.
  case bodyKeys(DescribedRequest, type: String?, path: [String])
  /// The values at such a path.
  case bodyValues(DescribedRequest, type: String?, path: [String])
  case formNames(DescribedRequest, type: String)
  case formValues(DescribedRequest, type: String, name: String)
  /// The members of the answer at a path, of a request whose description the tag names.
  case responseKeys(DescribedRequest, tag: DescriptionTag?, path: [String])

  /// The request that is asked about.
  package var request: DescribedRequest {
    switch self {
    case .methods(let request), .paths(let request, _), .queryNames(let request),
      .queryValues(let request, _), .headerNames(let request), .headerValues(let request, _),
      .bodyKeys(let request, _, _), .bodyValues(let request, _, _), .formNames(let request, _),
      .formValues(let request, _, _), .responseKeys(let request, _, _):
      request
    }
  }
}

/// A text that a description of the service has for a place.
package struct DescribedText: Sendable, Hashable {
  package var text: String
  package var detail: String?
  /// What it is for, in Markdown.
  package var documentation: String?
  /// The same with places to fill in.
  package var snippet: String?
  package var isRequired = false
  package var isDeprecated = false
  /// The byte with which the value of a member begins, where that is known.
  package var opening: UInt8?

  /// Makes a text.
  package init(_ text: String, detail: String? = nil) {
    self.text = text
    self.detail = detail?.isEmpty == true ? nil : detail
  }
}

/// What was fetched for one completion.
package struct CompletionSources: Sendable {
  /// Requests that were sent, the newest first.
  package var targets: [SentTarget] = []
  /// Header fields of requests that were sent, the newest first.
  package var fields: [SentField] = []
  /// Bodies of exchanges with paths like that of the request, the nearest first.
  package var bodies: [SentBodies] = []
  /// The names of the jar's cookies for the host.
  package var cookieNames: [String] = []
  /// What lies in a folder, named as a path in the file; empty where it may not be looked at.
  package var entries: @Sendable (String) -> [FolderEntry] = { _ in [] }
  /// The schema of the GraphQL service, where the request is to one.
  package var schema: ServiceSchema?
  /// What a description of the service says.
  package var described: @Sendable (DescribedPlace) -> [DescribedText] = { _ in [] }

  /// Makes sources that know nothing.
  package init() {}
}

/// What an answer at a place needs of the history.
package enum CompletionNeed: Sendable, Hashable {
  case nothing
  /// The targets of a host; of any where it is `nil`.
  case targets(host: String?)
  /// The header fields of requests to a host; to any where it is `nil`.
  case fields(host: String?)
  /// The bodies of exchanges with paths like one (`PathShape`), of a host or, without one, of any.
  case bodies(host: String?, path: String)
  /// The cookies for a host; of any where it is `nil`.
  case cookies(host: String?)
}
