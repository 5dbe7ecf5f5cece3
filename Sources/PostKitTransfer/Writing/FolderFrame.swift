// A folder with what it and those around it give to the requests in it.

/// A folder of the origin at its place.
final class FolderFrame {
  let folder: OriginFolder
  /// The folder around it; `nil` for the collection.
  let parent: FolderFrame?
  /// The names of the folders on the way, such as `Users / Admin`; empty for the collection.
  let path: String
  /// Who sends the requests that say nothing of it.
  let auth: OriginAuth
  /// Where that stands; `nil` where no folder says anything.
  let authPlace: OriginPlace?
  /// The headers for all requests in it, those of outer folders first.
  let headers: [OriginPair]
  /// What runs for each request in it, that of outer folders first.
  var scripts: [PlacedScript] = []
  /// The variables that became some of the environments, by their names.
  var moved: [String: String] = [:]

  /// Puts a folder into another.
  init(_ folder: OriginFolder, in parent: FolderFrame?) {
    self.folder = folder
    self.parent = parent
    let name = LineText.oneLine(folder.name)
    path = parent.map { $0.path.isEmpty ? name : "\($0.path) / \(name)" } ?? ""
    switch folder.auth {
    case .inherited:
      auth = parent?.auth ?? .none
      authPlace = parent?.authPlace
    default:
      auth = folder.auth
      authPlace = folder.authPlace ?? folder.place
    }
    headers = Self.merged(parent?.headers ?? [], folder.headers)
    scripts = parent?.scripts ?? []
  }

  /// The folders from the collection to this one.
  var chain: [FolderFrame] { (parent?.chain ?? []) + [self] }

  /// Headers with others that take the place of those of their names.
  static func merged(_ outer: [OriginPair], _ inner: [OriginPair]) -> [OriginPair] {
    if outer.isEmpty { return inner }
    let names = Set(inner.lazy.filter(\.isOn).map { $0.name.text.lowercased() })
    return outer.filter { !names.contains($0.name.text.lowercased()) } + inner
  }

  /// The names of folders and request, for people.
  func origin(of request: OriginRequest) -> String {
    let name = request.name.isEmpty ? TitleText.plain(request) : LineText.oneLine(request.name)
    return path.isEmpty ? name : "\(path) / \(name)"
  }
}
