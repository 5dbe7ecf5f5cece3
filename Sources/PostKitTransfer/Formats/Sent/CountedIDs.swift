// Ids of requests whose source has none.

/// Makes ids of what requests ask for, so that one that comes between moves no other (IO-20). The
/// user information of a URL does not get into them.
struct CountedIDs {
  private var counts: [String: Int] = [:]

  /// The id of the next request to a URL: its method, the URL without query, and a number.
  mutating func next(_ method: String, _ url: String) -> String {
    let target = SentURL(url).map { $0.origin + $0.path } ?? String(url.prefix { $0 != "?" })
    let key = "\(method) \(target)"
    counts[key, default: 0] += 1
    return "\(key) #\(counts[key] ?? 1)"
  }
}
