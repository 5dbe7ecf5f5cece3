// The steps of a path.

extension URLText {
  /// What stands between the slashes of a path, the empty steps too. A slash in `{{…}}` parts
  /// nothing; braces that are not closed are signs as others are.
  package static func steps(of path: Substring) -> [Substring] {
    let bytes = path.utf8
    var steps: [Substring] = []
    var (start, at) = (path.startIndex, path.startIndex)
    var mayHaveTemplate = true
    while at < path.endIndex {
      let next = bytes.index(after: at)
      if bytes[at] == UInt8(ascii: "/") {
        steps.append(path[start..<at])
        (start, at) = (next, next)
      } else if mayHaveTemplate, bytes[at] == UInt8(ascii: "{"), path[at...].hasPrefix("{{") {
        let end = path[at...].firstRange(of: "}}")?.upperBound
        mayHaveTemplate = end != nil
        at = end ?? next
      } else {
        at = next
      }
    }
    return steps + [path[start...]]
  }
}
