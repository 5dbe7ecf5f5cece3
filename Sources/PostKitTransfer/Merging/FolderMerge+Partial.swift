// An import that could not have all of the origin: what an earlier one has fetched stays as that
// left it (IO-20, IO-23).

import PostKitJSON

extension FolderMerge {
  private var wasFetched: Bool {
    base?.options.contains { $0.key == ImportManifest.fetchOption && $0.value.bool == true } == true
  }

  /// Whether requests that the origin seems to have no more may only be out of reach.
  var lacksRequests: Bool { new.partial.lacksRequests && wasFetched }

  /// Whether values of the environments stay though the origin does not say them now.
  var keepsValues: Bool {
    !missing.isEmpty || wasFetched && (lacksRequests || !new.partial.requests.isEmpty)
  }

  /// What is remembered of a request that is to stay as it is, since a part of it is out of reach
  /// now; `nil` for others.
  func whole(_ id: String) -> ImportManifest.Request? {
    new.partial.requests.contains(id) && wasFetched ? base?.requests[id] : nil
  }

  /// The same of a file beside requests, or of the head of a request file.
  func wholeFile(_ path: String) -> ImportManifest.File? {
    new.partial.files.contains(path) && wasFetched ? base?.files[path] : nil
  }

  /// Whether what stands before the requests of a file stays: what a description says of the whole
  /// comes before its first request, which may be one of those out of reach.
  func keepsHead(of path: String, _ theirs: String) -> Bool {
    guard lacksRequests, knownFiles.contains(path) else { return false }
    let now = PartItems.definitions(theirs).filter { !Self.isComment($0.name) }
    let known = (base?.files[path]?.lines.pairs ?? []).filter { !Self.isComment($0.name) }
    let hashes = now.map { PartItem(name: $0.name, text: PartHash.short($0.text)) }
    return NamedHashes(hashes).pairs == known
  }

  /// Whether a line of a head says something to people alone.
  private static func isComment(_ name: String) -> Bool {
    name.hasPrefix("#") && !name.drop { "#/ \t".contains($0) }.hasPrefix("@")
  }

  /// Requests that are not read now stay, and are remembered.
  mutating func keepGone() {
    for (id, request) in base?.requests ?? [:] where origin[id] == nil {
      manifest.requests[id] = request
    }
  }

  /// The head of a file with what requests need that are new; `nil` where it stays.
  mutating func headWithNew(_ mine: String, _ theirs: String, of path: String) -> String? {
    let known = manifest.files[path]?.lines ?? [:]
    var items = PartItems.definitions(mine)
    let names = Set(items.map(\.name))
    let added = PartItems.definitions(theirs)
      .filter { known[$0.name] == nil && !names.contains($0.name) }
    if added.isEmpty { return nil }
    items += added
    if let lines = manifest.files[path]?.lines {
      manifest.files[path]?.lines = NamedHashes(lines.pairs + hashes.short(added).pairs)
    }
    return PartItems.text(items)
  }

  /// Tells that something stays as it was fetched.
  func tellKept() {
    let count = new.partial.requests.count { whole($0) != nil }
    guard count > 0 || lacksRequests else { return }
    let what = lacksRequests ? "Requests that the description names elsewhere stay"
      : count == 1 ? "A request with parts on another machine stays"
      : "\(count) requests with parts on other machines stay"
    notes.tell(
      .refRemote, "\(what) as an earlier import fetched them; `--fetch` brings them up to date.",
      at: OriginPlace(), isWarning: false)
  }
}
