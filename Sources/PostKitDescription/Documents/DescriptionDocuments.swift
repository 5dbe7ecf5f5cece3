// The documents of a description: the one that was given, and those that its references name.

package import PostKitJSON

/// What is answered to a description that names another document.
package enum DescriptionAnswer: Sendable {
  case tree(JSONTree)
  case missing
  /// It lies outside of the description's folder.
  case outside
  /// It can't be read; a sentence says why.
  case unreadable(String)
}

/// Why a `$ref` leads to nothing.
package struct ReferenceFailure: Error, Sendable, Hashable {
  /// The kinds of reasons.
  package enum Reason: Sendable, Hashable {
    /// It names a document on another machine, which is not fetched unasked.
    case remote
    case outside
    case missing
    /// It leads to itself.
    case cycle
    /// The document can't be read; a sentence says why.
    case unreadable(String)
  }

  /// The text of the `$ref`.
  package let reference: String
  package let reason: Reason

  /// What is wrong, as a clause.
  package var explanation: String {
    switch reason {
    case .remote: "`\(reference)` is on another machine and is not fetched"
    case .outside: "`\(reference)` lies outside of the description's folder"
    case .missing: "`\(reference)` is not there"
    case .cycle: "`\(reference)` leads to itself"
    case .unreadable(let why): "`\(reference)` can't be read: \(why)"
    }
  }
}

/// The documents of a description. They are read once, with all that their references name, so that
/// everything later is a function of values. A cycle of references is normal: nothing is expanded.
package struct DescriptionDocuments: Sendable {
  private struct Document {
    let tree: JSONTree
    /// Values that pointers of two and three steps name, since nearly all references do.
    var named: [String: JSONView] = [:]
    var anchors: [String: JSONView] = [:]
  }

  private enum Found {
    case document(Int)
    case failed(ReferenceFailure.Reason)
  }

  /// The most documents that a description is read from.
  static let documentLimit = 500
  /// The most references that lead on to further references.
  private static let chainLimit = 100

  /// The paths of the documents below the description's folder; the first is the description's own
  /// name.
  package private(set) var paths: [String]
  private var documents: [Document] = []
  private var found: [String: Found] = [:]

  /// Reads a description and the documents that it names. `other` answers for a path below the
  /// description's folder, `remote` for a URL; `nil` where nothing is fetched.
  package init(
    _ tree: JSONTree, path: String = "", other: (String) -> DescriptionAnswer = { _ in .missing },
    remote: (String) -> DescriptionAnswer? = { _ in nil }
  ) {
    paths = [path]
    documents = [Document(tree: tree)]
    found[path] = .document(0)
    var next = 0
    while next < documents.count {
      let words = DollarWords(in: documents[next].tree.bytes)
      index(next, hasAnchors: words.hasAnchors)
      for named in words.otherDocuments {
        guard let place = ReferenceText(named).place(from: paths[next]), found[place] == nil else {
          continue
        }
        guard ReferenceText(place).isRemote else {
          add(place, other)
          continue
        }
        if let answer = remote(place) { add(place) { _ in answer } }
      }
      next += 1
    }
  }

  /// The description's outermost value.
  package var root: DescribedValue { DescribedValue(documents[0].tree.root) }

  /// The bytes of the description.
  package var bytes: [UInt8] { documents[0].tree.bytes }

  /// A value that is no reference: the one given, or what its `$ref` leads to.
  package func resolved(
    _ value: DescribedValue
  ) throws(ReferenceFailure) -> DescribedValue {
    var value = value
    for _ in 0..<Self.chainLimit {
      guard let reference = value.string("$ref") else { return value }
      value = try target(of: reference, in: value.document)
    }
    throw ReferenceFailure(reference: value.string("$ref") ?? "", reason: .cycle)
  }

  /// What a reference in a document leads to; that may be a reference again.
  package func target(
    of reference: String, in document: Int
  ) throws(ReferenceFailure) -> DescribedValue {
    let text = ReferenceText(reference)
    var place = document
    if !text.path.isEmpty {
      guard let named = text.place(from: paths[document]) else {
        throw ReferenceFailure(reference: reference, reason: .outside)
      }
      switch found[named] {
      case .document(let index): place = index
      case .failed(let reason): throw ReferenceFailure(reference: reference, reason: reason)
      case nil:
        throw ReferenceFailure(
          reference: reference, reason: ReferenceText(named).isRemote ? .remote : .missing)
      }
    }
    guard let view = lookUp(text.fragment, in: place) else {
      throw ReferenceFailure(reference: reference, reason: .missing)
    }
    return DescribedValue(view, document: place)
  }

  private func lookUp(_ fragment: String, in place: Int) -> JSONView? {
    let document = documents[place]
    if let known = document.named[fragment] ?? document.anchors[fragment] { return known }
    guard let steps = ReferenceText.steps(of: fragment) else { return nil }
    var view = document.tree.root
    for step in steps {
      guard let next = view.kind == .array ? Int(step).flatMap({ view[$0] }) : view[step] else {
        return nil
      }
      view = next
    }
    return view
  }

  private mutating func add(_ path: String, _ other: (String) -> DescriptionAnswer) {
    guard found[path] == nil else { return }
    guard documents.count < Self.documentLimit else {
      found[path] = .failed(
        .unreadable("The description names more than \(Self.documentLimit) documents."))
      return
    }
    switch other(path) {
    case .tree(let tree):
      found[path] = .document(documents.count)
      paths.append(path)
      documents.append(Document(tree: tree))
    case .missing: found[path] = .failed(.missing)
    case .outside: found[path] = .failed(.outside)
    case .unreadable(let why): found[path] = .failed(.unreadable(why))
    }
  }

  // MARK: - Indexes

  private mutating func index(_ place: Int, hasAnchors: Bool) {
    let root = documents[place].tree.root
    for name in ["definitions", "$defs", "parameters", "responses", "paths"] {
      guard let group = root[name] else { continue }
      for member in group.members {
        documents[place].named["/\(name)/\(Self.escaped(member.key.string ?? ""))"] = member.value
      }
    }
    for group in root["components"]?.members ?? [] {
      let prefix = "/components/\(Self.escaped(group.key.string ?? ""))/"
      for member in group.value.members {
        documents[place].named[prefix + Self.escaped(member.key.string ?? "")] = member.value
      }
    }
    if hasAnchors { collectAnchors(root, &documents[place].anchors) }
  }

  private func collectAnchors(_ view: JSONView, _ anchors: inout [String: JSONView]) {
    var open = [view]
    while let view = open.popLast() {
      switch view.kind {
      case .array: open += view.elements
      case .object:
        for member in view.members {
          if member.key.string == "$anchor", let name = member.value.string {
            if anchors[name] == nil { anchors[name] = view }
          } else {
            open.append(member.value)
          }
        }
      default: break
      }
    }
  }

  private static func escaped(_ step: String) -> String {
    guard step.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return step
    }
    return step.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
      .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
  }
}
