// Values of responses as variables: what tools with scripts or captures set after one request, for
// others to use.

/// What is kept of responses, and how it is called.
struct CapturePlan {
  /// A value that is kept.
  struct Capture: Hashable {
    var name: String
    var part: ExportedPart
  }

  /// What is kept of the response of each request, in the order of its first use.
  private(set) var captures: [Int: [Capture]] = [:]

  /// Finds what the requests of a collection read of each other. A part for which `isSaid` doesn't
  /// hold is not kept.
  init(_ collection: ExportedCollection, isSaid: (ExportedPart) -> Bool) {
    var words = CodeWords(
      taken: Set(
        (collection.variables + collection.environments.flatMap(\.variables)).map {
          $0.name.lowercased()
        }))
    for request in collection.requests {
      for case .response(let index, let part) in request.texts.flatMap(\.references)
      where isSaid(part) && name(index, part) == nil {
        let title = collection.requests[index].title
        let name = words.word(for: "\(title)_\(part.words)", fallback: "value")
        captures[index, default: []].append(Capture(name: name, part: part))
      }
    }
  }

  /// The name of the variable that holds a part; `nil` where it is not kept.
  func name(_ request: Int, _ part: ExportedPart) -> String? {
    captures[request]?.first { $0.part == part }?.name
  }
}

extension ExportedPart {
  /// What it is, in words for a name.
  var words: String {
    switch self {
    case .body: "body"
    case .status: "status"
    case .header(let name): CodeWords.word(name)
    case .member(let path): path.words
    case .other(let text): CodeWords.word(text)
    }
  }
}
